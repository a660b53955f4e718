#!/usr/bin/env node
/**
 * The entry point of the command line in this repository. It only imports run.js, which bin.js can therefore use without this file.
 *
 * @module
 */
import './run.js';
