"""Writing Portable Bridge Notation: as it was read (`write_pbn`), or in the strict export form (`export_pbn`)."""

from overtrick.render.pbn.export import export_pbn
from overtrick.render.pbn.keep import write_pbn

__all__ = ["export_pbn", "write_pbn"]
