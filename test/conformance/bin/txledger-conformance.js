#!/usr/bin/env node
// A file that is there before the package is built, so that npm can link it in the repository.
import '../dist/cli.js';
