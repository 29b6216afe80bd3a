"""Attribution: the claims of an answer, and how well the offered passages support them."""
