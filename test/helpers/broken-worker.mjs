/** A worker that ends before it is ready, as one does whose native parts are missing. */
process.exit(1);
