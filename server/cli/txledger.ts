#!/usr/bin/env node
/**
 * The command line by the name that it has in this repository. All it does is in run.js, so that bin.js gets there without this file.
 *
 * @module
 */
import './run.js';
