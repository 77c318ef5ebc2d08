"""A website: written as a folder, then uploaded file by file in an order that never shows readers a broken link."""
