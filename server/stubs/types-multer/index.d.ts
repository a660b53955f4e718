/** What the declarations of express-openapi-validator name of multer; ../multer says why it is not installed. */
declare namespace multer {
  type Options = never;
}
export = multer;
