"""Data for other programs: JSON, CSV and SARIF documents, and the PBN and LIN files beside the pages."""
