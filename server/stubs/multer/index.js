/**
 * express-openapi-validator loads multer at start, for operations that take files. This contract has none, and a parser
 * of multipart bodies that nobody uses is only something to attack: this workspace takes its place.
 */
module.exports = function multer() {
  throw new Error(
    'This service takes no multipart forms, so multer is not installed (server/stubs/multer stands in for it).',
  );
};
