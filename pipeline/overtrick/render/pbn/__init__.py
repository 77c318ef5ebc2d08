"""Writing Portable Bridge Notation: as it was read (`write_pbn`), or in the strict export form (`export_pbn`)."""

from overtrick.render.pbn.again import pbn_again
from overtrick.render.pbn.export import export_pbn
from overtrick.render.pbn.foreign import as_pbn
from overtrick.render.pbn.keep import write_pbn
from overtrick.render.pbn.losses import lin_losses
from overtrick.render.pbn.scored import scored_pbn

__all__ = ["as_pbn", "export_pbn", "lin_losses", "pbn_again", "scored_pbn", "write_pbn"]
