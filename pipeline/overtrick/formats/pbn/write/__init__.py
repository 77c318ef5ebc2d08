"""Writing Portable Bridge Notation: as it was read (`write_pbn`), or in the strict export form (`export_pbn`)."""

from overtrick.formats.pbn.write.again import pbn_again
from overtrick.formats.pbn.write.corrected import corrected_pbn
from overtrick.formats.pbn.write.export import export_pbn
from overtrick.formats.pbn.write.foreign import as_pbn
from overtrick.formats.pbn.write.keep import write_pbn
from overtrick.formats.pbn.write.losses import lin_losses
from overtrick.formats.pbn.write.scored import scored_pbn

__all__ = ["as_pbn", "corrected_pbn", "export_pbn", "lin_losses", "pbn_again", "scored_pbn", "write_pbn"]
