"""An inbox: files go in and bulletins come out. Nothing is lost or done twice, whenever the program is interrupted."""
