/** Made from spec/ by `npm run generate`. Do not edit: change spec/ and generate again. */
// @ts-nocheck
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// server/http/contract/formats.ts
var UINT128_MAX = 2n ** 128n - 1n;
var INT32_MAX = 2 ** 31 - 1;
var FORMATS = {
  int32: {
    type: "number",
    validate: (value) => Number.isInteger(value) && Math.abs(value) <= INT32_MAX
  },
  int64: { type: "number", validate: Number.isSafeInteger },
  uint128: {
    type: "string",
    validate: (text) => text.length < 39 || /^[0-9]{39}$/.test(text) && BigInt(text) <= UINT128_MAX
  }
};

// made:parameters
var listTransactions = validate0;
var schema0 = { "required": ["query", "headers", "params"], "properties": { "headers": { "type": "object", "properties": { "x-request-id": { "type": "string", "maxLength": 16384 }, "ledger-height-min": { "type": "string", "pattern": "^(0|[1-9][0-9]{0,15})$", "minLength": 1, "maxLength": 16 } }, "required": [] }, "query": { "type": "object", "properties": { "limit": { "description": "How many transfers a page holds at most. Written as a plain decimal integer (`^[1-9][0-9]*$`): `1e2` and `0x10` are 400.", "type": "integer", "format": "int32", "minimum": 1, "maximum": 1e3, "default": 10 }, "cursor": { "description": "A place in the list, opaque to callers (base64url without padding). It stays valid while the list grows.", "type": "string", "pattern": "^[A-Za-z0-9_-]+$", "minLength": 1, "maxLength": 256 }, "status": { "description": "A status that a transfer can have now; TransactionStatus says what each means.", "type": "string", "enum": ["pending", "committed", "failed", "cancelled", "expired"] }, "from": { "description": "An account address: bech32m (BIP-350) of the account's 32-byte Ed25519 public key, in lower case, with the 4 padding bits zero. The prefix is `txl` on a production chain and `txlt` on a development or test chain. The pattern covers prefix, alphabet, case and length (a violation is 400 `invalid_request`); the checksum, the prefix of this chain and the public key itself are checked after it (422 `invalid_address`).", "type": "string", "pattern": "^txlt?1[02-9ac-hj-np-z]{58}$", "minLength": 62, "maxLength": 63 }, "nonce": { "description": "The number of a transfer among those of its sender, counted from 0 without gaps. It runs to 2^53-1 so that JSON numbers stay exact in every language. Only the plain integer notation is accepted: `1.0`, `1e3` and `-0` are 400.", "type": "integer", "format": "int64", "minimum": 0, "maximum": 9007199254740991 }, "to": { "description": "An account address: bech32m (BIP-350) of the account's 32-byte Ed25519 public key, in lower case, with the 4 padding bits zero. The prefix is `txl` on a production chain and `txlt` on a development or test chain. The pattern covers prefix, alphabet, case and length (a violation is 400 `invalid_request`); the checksum, the prefix of this chain and the public key itself are checked after it (422 `invalid_address`).", "type": "string", "pattern": "^txlt?1[02-9ac-hj-np-z]{58}$", "minLength": 62, "maxLength": 63 }, "account": { "description": "An account address: bech32m (BIP-350) of the account's 32-byte Ed25519 public key, in lower case, with the 4 padding bits zero. The prefix is `txl` on a production chain and `txlt` on a development or test chain. The pattern covers prefix, alphabet, case and length (a violation is 400 `invalid_request`); the checksum, the prefix of this chain and the public key itself are checked after it (422 `invalid_address`).", "type": "string", "pattern": "^txlt?1[02-9ac-hj-np-z]{58}$", "minLength": 62, "maxLength": 63 }, "reference": { "description": "The payer's own name for the payment, such as the number of an order or an invoice: 1 to 140 printable ASCII characters other than `\"` and `\\`, without a space at either end. It is signed and public.", "type": "string", "pattern": "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$", "minLength": 1, "maxLength": 140 } }, "required": [] } } };
var func0 = require_ucs2length().default;
var pattern0 = new RegExp("^(0|[1-9][0-9]{0,15})$", "u");
var pattern1 = new RegExp("^[A-Za-z0-9_-]+$", "u");
var pattern2 = new RegExp("^txlt?1[02-9ac-hj-np-z]{58}$", "u");
var pattern5 = new RegExp("^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$", "u");
var formats0 = FORMATS.int32;
var formats2 = FORMATS.int64;
function validate0(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate0.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
        if (data0["ledger-height-min"] !== void 0) {
          let data2 = data0["ledger-height-min"];
          if (typeof data2 !== "string") {
            let dataType1 = typeof data2;
            let coerced1 = void 0;
            if (!(coerced1 !== void 0)) {
              if (dataType1 == "number" || dataType1 == "boolean") {
                coerced1 = "" + data2;
              } else if (data2 === null) {
                coerced1 = "";
              } else {
                const err5 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            }
            if (coerced1 !== void 0) {
              data2 = coerced1;
              if (data0 !== void 0) {
                data0["ledger-height-min"] = coerced1;
              }
            }
          }
          if (typeof data2 === "string") {
            if (func0(data2) > 16) {
              const err6 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/maxLength", keyword: "maxLength", params: { limit: 16 }, message: "must NOT have more than 16 characters" };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
            if (func0(data2) < 1) {
              const err7 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (!pattern0.test(data2)) {
              const err8 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/pattern", keyword: "pattern", params: { pattern: "^(0|[1-9][0-9]{0,15})$" }, message: 'must match pattern "^(0|[1-9][0-9]{0,15})$"' };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.query !== void 0) {
      let data3 = data.query;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3.limit === void 0) {
          data3.limit = 10;
        }
        let data4 = data3.limit;
        if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
          let dataType2 = typeof data4;
          let coerced2 = void 0;
          if (!(coerced2 !== void 0)) {
            if (dataType2 === "boolean" || data4 === null || dataType2 === "string" && data4 && data4 == +data4 && !(data4 % 1)) {
              coerced2 = +data4;
            } else {
              const err10 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          }
          if (coerced2 !== void 0) {
            data4 = coerced2;
            if (data3 !== void 0) {
              data3["limit"] = coerced2;
            }
          }
        }
        if (typeof data4 == "number" && isFinite(data4)) {
          if (data4 > 1e3 || isNaN(data4)) {
            const err11 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
          if (data4 < 1 || isNaN(data4)) {
            const err12 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
          if (!formats0.validate(data4)) {
            const err13 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/format", keyword: "format", params: { format: "int32" }, message: 'must match format "int32"' };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data3.cursor !== void 0) {
          let data5 = data3.cursor;
          if (typeof data5 !== "string") {
            let dataType3 = typeof data5;
            let coerced3 = void 0;
            if (!(coerced3 !== void 0)) {
              if (dataType3 == "number" || dataType3 == "boolean") {
                coerced3 = "" + data5;
              } else if (data5 === null) {
                coerced3 = "";
              } else {
                const err14 = { instancePath: instancePath + "/query/cursor", schemaPath: "#/properties/query/properties/cursor/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err14];
                } else {
                  vErrors.push(err14);
                }
                errors++;
              }
            }
            if (coerced3 !== void 0) {
              data5 = coerced3;
              if (data3 !== void 0) {
                data3["cursor"] = coerced3;
              }
            }
          }
          if (typeof data5 === "string") {
            if (func0(data5) > 256) {
              const err15 = { instancePath: instancePath + "/query/cursor", schemaPath: "#/properties/query/properties/cursor/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
            if (func0(data5) < 1) {
              const err16 = { instancePath: instancePath + "/query/cursor", schemaPath: "#/properties/query/properties/cursor/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
            if (!pattern1.test(data5)) {
              const err17 = { instancePath: instancePath + "/query/cursor", schemaPath: "#/properties/query/properties/cursor/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_-]+$" }, message: 'must match pattern "^[A-Za-z0-9_-]+$"' };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
          }
        }
        if (data3.status !== void 0) {
          let data6 = data3.status;
          if (typeof data6 !== "string") {
            let dataType4 = typeof data6;
            let coerced4 = void 0;
            if (!(coerced4 !== void 0)) {
              if (dataType4 == "number" || dataType4 == "boolean") {
                coerced4 = "" + data6;
              } else if (data6 === null) {
                coerced4 = "";
              } else {
                const err18 = { instancePath: instancePath + "/query/status", schemaPath: "#/properties/query/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
            if (coerced4 !== void 0) {
              data6 = coerced4;
              if (data3 !== void 0) {
                data3["status"] = coerced4;
              }
            }
          }
          if (!(data6 === "pending" || data6 === "committed" || data6 === "failed" || data6 === "cancelled" || data6 === "expired")) {
            const err19 = { instancePath: instancePath + "/query/status", schemaPath: "#/properties/query/properties/status/enum", keyword: "enum", params: { allowedValues: schema0.properties.query.properties.status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data3.from !== void 0) {
          let data7 = data3.from;
          if (typeof data7 !== "string") {
            let dataType5 = typeof data7;
            let coerced5 = void 0;
            if (!(coerced5 !== void 0)) {
              if (dataType5 == "number" || dataType5 == "boolean") {
                coerced5 = "" + data7;
              } else if (data7 === null) {
                coerced5 = "";
              } else {
                const err20 = { instancePath: instancePath + "/query/from", schemaPath: "#/properties/query/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err20];
                } else {
                  vErrors.push(err20);
                }
                errors++;
              }
            }
            if (coerced5 !== void 0) {
              data7 = coerced5;
              if (data3 !== void 0) {
                data3["from"] = coerced5;
              }
            }
          }
          if (typeof data7 === "string") {
            if (func0(data7) > 63) {
              const err21 = { instancePath: instancePath + "/query/from", schemaPath: "#/properties/query/properties/from/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
            if (func0(data7) < 62) {
              const err22 = { instancePath: instancePath + "/query/from", schemaPath: "#/properties/query/properties/from/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
              if (vErrors === null) {
                vErrors = [err22];
              } else {
                vErrors.push(err22);
              }
              errors++;
            }
            if (!pattern2.test(data7)) {
              const err23 = { instancePath: instancePath + "/query/from", schemaPath: "#/properties/query/properties/from/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
          }
        }
        if (data3.nonce !== void 0) {
          let data8 = data3.nonce;
          if (!(typeof data8 == "number" && (!(data8 % 1) && !isNaN(data8)) && isFinite(data8))) {
            let dataType6 = typeof data8;
            let coerced6 = void 0;
            if (!(coerced6 !== void 0)) {
              if (dataType6 === "boolean" || data8 === null || dataType6 === "string" && data8 && data8 == +data8 && !(data8 % 1)) {
                coerced6 = +data8;
              } else {
                const err24 = { instancePath: instancePath + "/query/nonce", schemaPath: "#/properties/query/properties/nonce/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
            }
            if (coerced6 !== void 0) {
              data8 = coerced6;
              if (data3 !== void 0) {
                data3["nonce"] = coerced6;
              }
            }
          }
          if (typeof data8 == "number" && isFinite(data8)) {
            if (data8 > 9007199254740991 || isNaN(data8)) {
              const err25 = { instancePath: instancePath + "/query/nonce", schemaPath: "#/properties/query/properties/nonce/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991" };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
            if (data8 < 0 || isNaN(data8)) {
              const err26 = { instancePath: instancePath + "/query/nonce", schemaPath: "#/properties/query/properties/nonce/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
            if (!formats2.validate(data8)) {
              const err27 = { instancePath: instancePath + "/query/nonce", schemaPath: "#/properties/query/properties/nonce/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          }
        }
        if (data3.to !== void 0) {
          let data9 = data3.to;
          if (typeof data9 !== "string") {
            let dataType7 = typeof data9;
            let coerced7 = void 0;
            if (!(coerced7 !== void 0)) {
              if (dataType7 == "number" || dataType7 == "boolean") {
                coerced7 = "" + data9;
              } else if (data9 === null) {
                coerced7 = "";
              } else {
                const err28 = { instancePath: instancePath + "/query/to", schemaPath: "#/properties/query/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            if (coerced7 !== void 0) {
              data9 = coerced7;
              if (data3 !== void 0) {
                data3["to"] = coerced7;
              }
            }
          }
          if (typeof data9 === "string") {
            if (func0(data9) > 63) {
              const err29 = { instancePath: instancePath + "/query/to", schemaPath: "#/properties/query/properties/to/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
            if (func0(data9) < 62) {
              const err30 = { instancePath: instancePath + "/query/to", schemaPath: "#/properties/query/properties/to/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
              if (vErrors === null) {
                vErrors = [err30];
              } else {
                vErrors.push(err30);
              }
              errors++;
            }
            if (!pattern2.test(data9)) {
              const err31 = { instancePath: instancePath + "/query/to", schemaPath: "#/properties/query/properties/to/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
              if (vErrors === null) {
                vErrors = [err31];
              } else {
                vErrors.push(err31);
              }
              errors++;
            }
          }
        }
        if (data3.account !== void 0) {
          let data10 = data3.account;
          if (typeof data10 !== "string") {
            let dataType8 = typeof data10;
            let coerced8 = void 0;
            if (!(coerced8 !== void 0)) {
              if (dataType8 == "number" || dataType8 == "boolean") {
                coerced8 = "" + data10;
              } else if (data10 === null) {
                coerced8 = "";
              } else {
                const err32 = { instancePath: instancePath + "/query/account", schemaPath: "#/properties/query/properties/account/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            }
            if (coerced8 !== void 0) {
              data10 = coerced8;
              if (data3 !== void 0) {
                data3["account"] = coerced8;
              }
            }
          }
          if (typeof data10 === "string") {
            if (func0(data10) > 63) {
              const err33 = { instancePath: instancePath + "/query/account", schemaPath: "#/properties/query/properties/account/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
            if (func0(data10) < 62) {
              const err34 = { instancePath: instancePath + "/query/account", schemaPath: "#/properties/query/properties/account/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
            if (!pattern2.test(data10)) {
              const err35 = { instancePath: instancePath + "/query/account", schemaPath: "#/properties/query/properties/account/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
          }
        }
        if (data3.reference !== void 0) {
          let data11 = data3.reference;
          if (typeof data11 !== "string") {
            let dataType9 = typeof data11;
            let coerced9 = void 0;
            if (!(coerced9 !== void 0)) {
              if (dataType9 == "number" || dataType9 == "boolean") {
                coerced9 = "" + data11;
              } else if (data11 === null) {
                coerced9 = "";
              } else {
                const err36 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            }
            if (coerced9 !== void 0) {
              data11 = coerced9;
              if (data3 !== void 0) {
                data3["reference"] = coerced9;
              }
            }
          }
          if (typeof data11 === "string") {
            if (func0(data11) > 140) {
              const err37 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/maxLength", keyword: "maxLength", params: { limit: 140 }, message: "must NOT have more than 140 characters" };
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
            if (func0(data11) < 1) {
              const err38 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err38];
              } else {
                vErrors.push(err38);
              }
              errors++;
            }
            if (!pattern5.test(data11)) {
              const err39 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/pattern", keyword: "pattern", params: { pattern: "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$" }, message: 'must match pattern "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$"' };
              if (vErrors === null) {
                vErrors = [err39];
              } else {
                vErrors.push(err39);
              }
              errors++;
            }
          }
        }
      } else {
        const err40 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err40];
        } else {
          vErrors.push(err40);
        }
        errors++;
      }
    }
  }
  validate0.errors = vErrors;
  return errors === 0;
}
validate0.evaluated = { "props": { "headers": true, "query": true }, "dynamicProps": false, "dynamicItems": false };
var submitTransaction = validate1;
var pattern6 = new RegExp("^(\\x22([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\x5c[\\x22\\x5c]){1,255}\\x22|[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]{1,255})$", "u");
function validate1(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate1.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
        if (data0.prefer !== void 0) {
          let data2 = data0.prefer;
          if (typeof data2 !== "string") {
            let dataType1 = typeof data2;
            let coerced1 = void 0;
            if (!(coerced1 !== void 0)) {
              if (dataType1 == "number" || dataType1 == "boolean") {
                coerced1 = "" + data2;
              } else if (data2 === null) {
                coerced1 = "";
              } else {
                const err5 = { instancePath: instancePath + "/headers/prefer", schemaPath: "#/properties/headers/properties/prefer/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            }
            if (coerced1 !== void 0) {
              data2 = coerced1;
              if (data0 !== void 0) {
                data0["prefer"] = coerced1;
              }
            }
          }
          if (typeof data2 === "string") {
            if (func0(data2) > 16384) {
              const err6 = { instancePath: instancePath + "/headers/prefer", schemaPath: "#/properties/headers/properties/prefer/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
          }
        }
        if (data0["idempotency-key"] !== void 0) {
          let data3 = data0["idempotency-key"];
          if (typeof data3 !== "string") {
            let dataType2 = typeof data3;
            let coerced2 = void 0;
            if (!(coerced2 !== void 0)) {
              if (dataType2 == "number" || dataType2 == "boolean") {
                coerced2 = "" + data3;
              } else if (data3 === null) {
                coerced2 = "";
              } else {
                const err7 = { instancePath: instancePath + "/headers/idempotency-key", schemaPath: "#/properties/headers/properties/idempotency-key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err7];
                } else {
                  vErrors.push(err7);
                }
                errors++;
              }
            }
            if (coerced2 !== void 0) {
              data3 = coerced2;
              if (data0 !== void 0) {
                data0["idempotency-key"] = coerced2;
              }
            }
          }
          if (typeof data3 === "string") {
            if (func0(data3) > 512) {
              const err8 = { instancePath: instancePath + "/headers/idempotency-key", schemaPath: "#/properties/headers/properties/idempotency-key/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            if (!pattern6.test(data3)) {
              const err9 = { instancePath: instancePath + "/headers/idempotency-key", schemaPath: "#/properties/headers/properties/idempotency-key/pattern", keyword: "pattern", params: { pattern: "^(\\x22([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\x5c[\\x22\\x5c]){1,255}\\x22|[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]{1,255})$" }, message: 'must match pattern "^(\\x22([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\x5c[\\x22\\x5c]){1,255}\\x22|[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]{1,255})$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          }
        }
      } else {
        const err10 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
  }
  validate1.errors = vErrors;
  return errors === 0;
}
validate1.evaluated = { "props": { "headers": true }, "dynamicProps": false, "dynamicItems": false };
var submitTransactionBatch = validate2;
function validate2(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate2.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
      } else {
        const err5 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
  }
  validate2.errors = vErrors;
  return errors === 0;
}
validate2.evaluated = { "props": { "headers": true }, "dynamicProps": false, "dynamicItems": false };
var checkTransaction = validate3;
function validate3(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate3.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
      } else {
        const err5 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
  }
  validate3.errors = vErrors;
  return errors === 0;
}
validate3.evaluated = { "props": { "headers": true }, "dynamicProps": false, "dynamicItems": false };
var getTransaction = validate4;
var pattern8 = new RegExp("^[0-9A-Fa-f]{64}$", "u");
function validate4(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate4.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
        if (data0["ledger-height-min"] !== void 0) {
          let data2 = data0["ledger-height-min"];
          if (typeof data2 !== "string") {
            let dataType1 = typeof data2;
            let coerced1 = void 0;
            if (!(coerced1 !== void 0)) {
              if (dataType1 == "number" || dataType1 == "boolean") {
                coerced1 = "" + data2;
              } else if (data2 === null) {
                coerced1 = "";
              } else {
                const err5 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            }
            if (coerced1 !== void 0) {
              data2 = coerced1;
              if (data0 !== void 0) {
                data0["ledger-height-min"] = coerced1;
              }
            }
          }
          if (typeof data2 === "string") {
            if (func0(data2) > 16) {
              const err6 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/maxLength", keyword: "maxLength", params: { limit: 16 }, message: "must NOT have more than 16 characters" };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
            if (func0(data2) < 1) {
              const err7 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (!pattern0.test(data2)) {
              const err8 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/pattern", keyword: "pattern", params: { pattern: "^(0|[1-9][0-9]{0,15})$" }, message: 'must match pattern "^(0|[1-9][0-9]{0,15})$"' };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.params !== void 0) {
      let data3 = data.params;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3.txHash === void 0) {
          const err10 = { instancePath: instancePath + "/params", schemaPath: "#/properties/params/required", keyword: "required", params: { missingProperty: "txHash" }, message: "must have required property 'txHash'" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (data3.txHash !== void 0) {
          let data4 = data3.txHash;
          if (typeof data4 !== "string") {
            let dataType2 = typeof data4;
            let coerced2 = void 0;
            if (!(coerced2 !== void 0)) {
              if (dataType2 == "number" || dataType2 == "boolean") {
                coerced2 = "" + data4;
              } else if (data4 === null) {
                coerced2 = "";
              } else {
                const err11 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
            if (coerced2 !== void 0) {
              data4 = coerced2;
              if (data3 !== void 0) {
                data3["txHash"] = coerced2;
              }
            }
          }
          if (typeof data4 === "string") {
            if (func0(data4) > 64) {
              const err12 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (func0(data4) < 64) {
              const err13 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/minLength", keyword: "minLength", params: { limit: 64 }, message: "must NOT have fewer than 64 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (!pattern8.test(data4)) {
              const err14 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f]{64}$" }, message: 'must match pattern "^[0-9A-Fa-f]{64}$"' };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/params", schemaPath: "#/properties/params/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
  }
  validate4.errors = vErrors;
  return errors === 0;
}
validate4.evaluated = { "props": { "headers": true, "params": true }, "dynamicProps": false, "dynamicItems": false };
var cancelTransaction = validate5;
function validate5(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate5.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
        if (data0.prefer !== void 0) {
          let data2 = data0.prefer;
          if (typeof data2 !== "string") {
            let dataType1 = typeof data2;
            let coerced1 = void 0;
            if (!(coerced1 !== void 0)) {
              if (dataType1 == "number" || dataType1 == "boolean") {
                coerced1 = "" + data2;
              } else if (data2 === null) {
                coerced1 = "";
              } else {
                const err5 = { instancePath: instancePath + "/headers/prefer", schemaPath: "#/properties/headers/properties/prefer/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            }
            if (coerced1 !== void 0) {
              data2 = coerced1;
              if (data0 !== void 0) {
                data0["prefer"] = coerced1;
              }
            }
          }
          if (typeof data2 === "string") {
            if (func0(data2) > 16384) {
              const err6 = { instancePath: instancePath + "/headers/prefer", schemaPath: "#/properties/headers/properties/prefer/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
          }
        }
      } else {
        const err7 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.params !== void 0) {
      let data3 = data.params;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3.txHash === void 0) {
          const err8 = { instancePath: instancePath + "/params", schemaPath: "#/properties/params/required", keyword: "required", params: { missingProperty: "txHash" }, message: "must have required property 'txHash'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (data3.txHash !== void 0) {
          let data4 = data3.txHash;
          if (typeof data4 !== "string") {
            let dataType2 = typeof data4;
            let coerced2 = void 0;
            if (!(coerced2 !== void 0)) {
              if (dataType2 == "number" || dataType2 == "boolean") {
                coerced2 = "" + data4;
              } else if (data4 === null) {
                coerced2 = "";
              } else {
                const err9 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err9];
                } else {
                  vErrors.push(err9);
                }
                errors++;
              }
            }
            if (coerced2 !== void 0) {
              data4 = coerced2;
              if (data3 !== void 0) {
                data3["txHash"] = coerced2;
              }
            }
          }
          if (typeof data4 === "string") {
            if (func0(data4) > 64) {
              const err10 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
            if (func0(data4) < 64) {
              const err11 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/minLength", keyword: "minLength", params: { limit: 64 }, message: "must NOT have fewer than 64 characters" };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
            if (!pattern8.test(data4)) {
              const err12 = { instancePath: instancePath + "/params/txHash", schemaPath: "#/properties/params/properties/txHash/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f]{64}$" }, message: 'must match pattern "^[0-9A-Fa-f]{64}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          }
        }
      } else {
        const err13 = { instancePath: instancePath + "/params", schemaPath: "#/properties/params/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
  }
  validate5.errors = vErrors;
  return errors === 0;
}
validate5.evaluated = { "props": { "headers": true, "params": true }, "dynamicProps": false, "dynamicItems": false };
var listAccounts = validate6;
function validate6(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate6.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.query !== void 0) {
      let data0 = data.query;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.address === void 0) {
          const err3 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/required", keyword: "required", params: { missingProperty: "address" }, message: "must have required property 'address'" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data0.address !== void 0) {
          let data1 = data0.address;
          if (Array.isArray(data1)) {
            if (data1.length > 100) {
              const err4 = { instancePath: instancePath + "/query/address", schemaPath: "#/properties/query/properties/address/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
            if (data1.length < 1) {
              const err5 = { instancePath: instancePath + "/query/address", schemaPath: "#/properties/query/properties/address/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
            const len0 = data1.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data2 = data1[i0];
              if (typeof data2 !== "string") {
                let dataType0 = typeof data2;
                let coerced0 = void 0;
                if (!(coerced0 !== void 0)) {
                  if (dataType0 == "number" || dataType0 == "boolean") {
                    coerced0 = "" + data2;
                  } else if (data2 === null) {
                    coerced0 = "";
                  } else {
                    const err6 = { instancePath: instancePath + "/query/address/" + i0, schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err6];
                    } else {
                      vErrors.push(err6);
                    }
                    errors++;
                  }
                }
                if (coerced0 !== void 0) {
                  data2 = coerced0;
                  if (data1 !== void 0) {
                    data1[i0] = coerced0;
                  }
                }
              }
              if (typeof data2 === "string") {
                if (func0(data2) > 63) {
                  const err7 = { instancePath: instancePath + "/query/address/" + i0, schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
                  if (vErrors === null) {
                    vErrors = [err7];
                  } else {
                    vErrors.push(err7);
                  }
                  errors++;
                }
                if (func0(data2) < 62) {
                  const err8 = { instancePath: instancePath + "/query/address/" + i0, schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
                  if (vErrors === null) {
                    vErrors = [err8];
                  } else {
                    vErrors.push(err8);
                  }
                  errors++;
                }
                if (!pattern2.test(data2)) {
                  const err9 = { instancePath: instancePath + "/query/address/" + i0, schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
                  if (vErrors === null) {
                    vErrors = [err9];
                  } else {
                    vErrors.push(err9);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err10 = { instancePath: instancePath + "/query/address", schemaPath: "#/properties/query/properties/address/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.headers !== void 0) {
      let data3 = data.headers;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3["x-request-id"] !== void 0) {
          let data4 = data3["x-request-id"];
          if (typeof data4 !== "string") {
            let dataType1 = typeof data4;
            let coerced1 = void 0;
            if (!(coerced1 !== void 0)) {
              if (dataType1 == "number" || dataType1 == "boolean") {
                coerced1 = "" + data4;
              } else if (data4 === null) {
                coerced1 = "";
              } else {
                const err12 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err12];
                } else {
                  vErrors.push(err12);
                }
                errors++;
              }
            }
            if (coerced1 !== void 0) {
              data4 = coerced1;
              if (data3 !== void 0) {
                data3["x-request-id"] = coerced1;
              }
            }
          }
          if (typeof data4 === "string") {
            if (func0(data4) > 16384) {
              const err13 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
          }
        }
        if (data3["ledger-height-min"] !== void 0) {
          let data5 = data3["ledger-height-min"];
          if (typeof data5 !== "string") {
            let dataType2 = typeof data5;
            let coerced2 = void 0;
            if (!(coerced2 !== void 0)) {
              if (dataType2 == "number" || dataType2 == "boolean") {
                coerced2 = "" + data5;
              } else if (data5 === null) {
                coerced2 = "";
              } else {
                const err14 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err14];
                } else {
                  vErrors.push(err14);
                }
                errors++;
              }
            }
            if (coerced2 !== void 0) {
              data5 = coerced2;
              if (data3 !== void 0) {
                data3["ledger-height-min"] = coerced2;
              }
            }
          }
          if (typeof data5 === "string") {
            if (func0(data5) > 16) {
              const err15 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/maxLength", keyword: "maxLength", params: { limit: 16 }, message: "must NOT have more than 16 characters" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
            if (func0(data5) < 1) {
              const err16 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
            if (!pattern0.test(data5)) {
              const err17 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/pattern", keyword: "pattern", params: { pattern: "^(0|[1-9][0-9]{0,15})$" }, message: 'must match pattern "^(0|[1-9][0-9]{0,15})$"' };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
          }
        }
      } else {
        const err18 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
  }
  validate6.errors = vErrors;
  return errors === 0;
}
validate6.evaluated = { "props": { "query": true, "headers": true }, "dynamicProps": false, "dynamicItems": false };
var getAccount = validate8;
function validate8(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate8.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.headers === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.params === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "params" }, message: "must have required property 'params'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.headers !== void 0) {
      let data0 = data.headers;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["x-request-id"] !== void 0) {
          let data1 = data0["x-request-id"];
          if (typeof data1 !== "string") {
            let dataType0 = typeof data1;
            let coerced0 = void 0;
            if (!(coerced0 !== void 0)) {
              if (dataType0 == "number" || dataType0 == "boolean") {
                coerced0 = "" + data1;
              } else if (data1 === null) {
                coerced0 = "";
              } else {
                const err3 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err3];
                } else {
                  vErrors.push(err3);
                }
                errors++;
              }
            }
            if (coerced0 !== void 0) {
              data1 = coerced0;
              if (data0 !== void 0) {
                data0["x-request-id"] = coerced0;
              }
            }
          }
          if (typeof data1 === "string") {
            if (func0(data1) > 16384) {
              const err4 = { instancePath: instancePath + "/headers/x-request-id", schemaPath: "#/properties/headers/properties/x-request-id/maxLength", keyword: "maxLength", params: { limit: 16384 }, message: "must NOT have more than 16384 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
        }
        if (data0["ledger-height-min"] !== void 0) {
          let data2 = data0["ledger-height-min"];
          if (typeof data2 !== "string") {
            let dataType1 = typeof data2;
            let coerced1 = void 0;
            if (!(coerced1 !== void 0)) {
              if (dataType1 == "number" || dataType1 == "boolean") {
                coerced1 = "" + data2;
              } else if (data2 === null) {
                coerced1 = "";
              } else {
                const err5 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            }
            if (coerced1 !== void 0) {
              data2 = coerced1;
              if (data0 !== void 0) {
                data0["ledger-height-min"] = coerced1;
              }
            }
          }
          if (typeof data2 === "string") {
            if (func0(data2) > 16) {
              const err6 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/maxLength", keyword: "maxLength", params: { limit: 16 }, message: "must NOT have more than 16 characters" };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
            if (func0(data2) < 1) {
              const err7 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (!pattern0.test(data2)) {
              const err8 = { instancePath: instancePath + "/headers/ledger-height-min", schemaPath: "#/properties/headers/properties/ledger-height-min/pattern", keyword: "pattern", params: { pattern: "^(0|[1-9][0-9]{0,15})$" }, message: 'must match pattern "^(0|[1-9][0-9]{0,15})$"' };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/headers", schemaPath: "#/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.params !== void 0) {
      let data3 = data.params;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3.address === void 0) {
          const err10 = { instancePath: instancePath + "/params", schemaPath: "#/properties/params/required", keyword: "required", params: { missingProperty: "address" }, message: "must have required property 'address'" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (data3.address !== void 0) {
          let data4 = data3.address;
          if (typeof data4 !== "string") {
            let dataType2 = typeof data4;
            let coerced2 = void 0;
            if (!(coerced2 !== void 0)) {
              if (dataType2 == "number" || dataType2 == "boolean") {
                coerced2 = "" + data4;
              } else if (data4 === null) {
                coerced2 = "";
              } else {
                const err11 = { instancePath: instancePath + "/params/address", schemaPath: "#/properties/params/properties/address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
            if (coerced2 !== void 0) {
              data4 = coerced2;
              if (data3 !== void 0) {
                data3["address"] = coerced2;
              }
            }
          }
          if (typeof data4 === "string") {
            if (func0(data4) > 63) {
              const err12 = { instancePath: instancePath + "/params/address", schemaPath: "#/properties/params/properties/address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (func0(data4) < 62) {
              const err13 = { instancePath: instancePath + "/params/address", schemaPath: "#/properties/params/properties/address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (!pattern2.test(data4)) {
              const err14 = { instancePath: instancePath + "/params/address", schemaPath: "#/properties/params/properties/address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/params", schemaPath: "#/properties/params/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.query !== void 0) {
      let data5 = data.query;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        if (data5.height !== void 0) {
          let data6 = data5.height;
          if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6))) {
            let dataType3 = typeof data6;
            let coerced3 = void 0;
            if (!(coerced3 !== void 0)) {
              if (dataType3 === "boolean" || data6 === null || dataType3 === "string" && data6 && data6 == +data6 && !(data6 % 1)) {
                coerced3 = +data6;
              } else {
                const err16 = { instancePath: instancePath + "/query/height", schemaPath: "#/properties/query/properties/height/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
            }
            if (coerced3 !== void 0) {
              data6 = coerced3;
              if (data5 !== void 0) {
                data5["height"] = coerced3;
              }
            }
          }
          if (typeof data6 == "number" && isFinite(data6)) {
            if (data6 > 9007199254740991 || isNaN(data6)) {
              const err17 = { instancePath: instancePath + "/query/height", schemaPath: "#/properties/query/properties/height/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991" };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
            if (data6 < 0 || isNaN(data6)) {
              const err18 = { instancePath: instancePath + "/query/height", schemaPath: "#/properties/query/properties/height/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
            if (!formats2.validate(data6)) {
              const err19 = { instancePath: instancePath + "/query/height", schemaPath: "#/properties/query/properties/height/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
              if (vErrors === null) {
                vErrors = [err19];
              } else {
                vErrors.push(err19);
              }
              errors++;
            }
          }
        }
      } else {
        const err20 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
  }
  validate8.errors = vErrors;
  return errors === 0;
}
validate8.evaluated = { "props": { "headers": true, "params": true, "query": true }, "dynamicProps": false, "dynamicItems": false };

// made:bodies
var listTransactions2 = validate02;
function validate02(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  validate02.errors = null;
  return true;
}
validate02.evaluated = { "dynamicProps": false, "dynamicItems": false };
var submitTransaction2 = validate12;
var func02 = require_ucs2length().default;
var pattern02 = new RegExp("^txlt?1[02-9ac-hj-np-z]{58}$", "u");
var pattern22 = new RegExp("^[1-9][0-9]{0,38}$", "u");
var pattern3 = new RegExp("^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$", "u");
var pattern4 = new RegExp("^[0-9a-f]{128}$", "u");
var pattern52 = new RegExp("^[0-9A-Fa-f]{64}$", "u");
var formats02 = FORMATS.uint128;
var formats22 = FORMATS.int64;
function validate32(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate32.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.from === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.to === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.amount === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.nonce === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "nonce" }, message: "must have required property 'nonce'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.signature === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "signature" }, message: "must have required property 'signature'" };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "from" || key0 === "to" || key0 === "amount" || key0 === "nonce" || key0 === "reference" || key0 === "validUntil" || key0 === "signature" || key0 === "txHash")) {
        const err5 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.from !== void 0) {
      let data0 = data.from;
      if (typeof data0 === "string") {
        if (func02(data0) > 63) {
          const err6 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (func02(data0) < 62) {
          const err7 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (!pattern02.test(data0)) {
          const err8 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.to !== void 0) {
      let data1 = data.to;
      if (typeof data1 === "string") {
        if (func02(data1) > 63) {
          const err10 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (func02(data1) < 62) {
          const err11 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        if (!pattern02.test(data1)) {
          const err12 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
      } else {
        const err13 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.amount !== void 0) {
      let data2 = data.amount;
      if (typeof data2 === "string") {
        if (func02(data2) > 39) {
          const err14 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/maxLength", keyword: "maxLength", params: { limit: 39 }, message: "must NOT have more than 39 characters" };
          if (vErrors === null) {
            vErrors = [err14];
          } else {
            vErrors.push(err14);
          }
          errors++;
        }
        if (!pattern22.test(data2)) {
          const err15 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/pattern", keyword: "pattern", params: { pattern: "^[1-9][0-9]{0,38}$" }, message: 'must match pattern "^[1-9][0-9]{0,38}$"' };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
        if (!formats02.validate(data2)) {
          const err16 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/format", keyword: "format", params: { format: "uint128" }, message: 'must match format "uint128"' };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
      } else {
        const err17 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
    if (data.nonce !== void 0) {
      let data3 = data.nonce;
      if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
        const err18 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
      if (typeof data3 == "number" && isFinite(data3)) {
        if (data3 > 9007199254740991 || isNaN(data3)) {
          const err19 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991" };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
        if (data3 < 0 || isNaN(data3)) {
          const err20 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err20];
          } else {
            vErrors.push(err20);
          }
          errors++;
        }
        if (!formats22.validate(data3)) {
          const err21 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
          if (vErrors === null) {
            vErrors = [err21];
          } else {
            vErrors.push(err21);
          }
          errors++;
        }
      }
    }
    if (data.reference !== void 0) {
      let data4 = data.reference;
      if (typeof data4 === "string") {
        if (func02(data4) > 140) {
          const err22 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/maxLength", keyword: "maxLength", params: { limit: 140 }, message: "must NOT have more than 140 characters" };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
        if (func02(data4) < 1) {
          const err23 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err23];
          } else {
            vErrors.push(err23);
          }
          errors++;
        }
        if (!pattern3.test(data4)) {
          const err24 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/pattern", keyword: "pattern", params: { pattern: "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$" }, message: 'must match pattern "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$"' };
          if (vErrors === null) {
            vErrors = [err24];
          } else {
            vErrors.push(err24);
          }
          errors++;
        }
      } else {
        const err25 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.validUntil !== void 0) {
      let data5 = data.validUntil;
      if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
        const err26 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
      if (typeof data5 == "number" && isFinite(data5)) {
        if (data5 > 253402300799 || isNaN(data5)) {
          const err27 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/maximum", keyword: "maximum", params: { comparison: "<=", limit: 253402300799 }, message: "must be <= 253402300799" };
          if (vErrors === null) {
            vErrors = [err27];
          } else {
            vErrors.push(err27);
          }
          errors++;
        }
        if (data5 < 1 || isNaN(data5)) {
          const err28 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          if (vErrors === null) {
            vErrors = [err28];
          } else {
            vErrors.push(err28);
          }
          errors++;
        }
        if (!formats22.validate(data5)) {
          const err29 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
          if (vErrors === null) {
            vErrors = [err29];
          } else {
            vErrors.push(err29);
          }
          errors++;
        }
      }
    }
    if (data.signature !== void 0) {
      let data6 = data.signature;
      if (typeof data6 === "string") {
        if (func02(data6) > 128) {
          const err30 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          if (vErrors === null) {
            vErrors = [err30];
          } else {
            vErrors.push(err30);
          }
          errors++;
        }
        if (func02(data6) < 128) {
          const err31 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/minLength", keyword: "minLength", params: { limit: 128 }, message: "must NOT have fewer than 128 characters" };
          if (vErrors === null) {
            vErrors = [err31];
          } else {
            vErrors.push(err31);
          }
          errors++;
        }
        if (!pattern4.test(data6)) {
          const err32 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{128}$" }, message: 'must match pattern "^[0-9a-f]{128}$"' };
          if (vErrors === null) {
            vErrors = [err32];
          } else {
            vErrors.push(err32);
          }
          errors++;
        }
      } else {
        const err33 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
    }
    if (data.txHash !== void 0) {
      let data7 = data.txHash;
      if (typeof data7 === "string") {
        if (func02(data7) > 64) {
          const err34 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
          if (vErrors === null) {
            vErrors = [err34];
          } else {
            vErrors.push(err34);
          }
          errors++;
        }
        if (func02(data7) < 64) {
          const err35 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/minLength", keyword: "minLength", params: { limit: 64 }, message: "must NOT have fewer than 64 characters" };
          if (vErrors === null) {
            vErrors = [err35];
          } else {
            vErrors.push(err35);
          }
          errors++;
        }
        if (!pattern52.test(data7)) {
          const err36 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f]{64}$" }, message: 'must match pattern "^[0-9A-Fa-f]{64}$"' };
          if (vErrors === null) {
            vErrors = [err36];
          } else {
            vErrors.push(err36);
          }
          errors++;
        }
      } else {
        const err37 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err37];
        } else {
          vErrors.push(err37);
        }
        errors++;
      }
    }
  } else {
    const err38 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err38];
    } else {
      vErrors.push(err38);
    }
    errors++;
  }
  validate32.errors = vErrors;
  return errors === 0;
}
validate32.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate12.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.body === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body !== void 0) {
      if (!validate32(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData, dynamicAnchors })) {
        vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
        errors = vErrors.length;
      }
    }
  }
  validate12.errors = vErrors;
  return errors === 0;
}
validate12.evaluated = { "props": { "body": true }, "dynamicProps": false, "dynamicItems": false };
var submitTransactionBatch2 = validate52;
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate52.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.body === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body !== void 0) {
      let data0 = data.body;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.transactions === void 0) {
          const err1 = { instancePath: instancePath + "/body", schemaPath: "contract#/components/schemas/TransactionBatchInput/required", keyword: "required", params: { missingProperty: "transactions" }, message: "must have required property 'transactions'" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        for (const key0 in data0) {
          if (!(key0 === "transactions")) {
            const err2 = { instancePath: instancePath + "/body", schemaPath: "contract#/components/schemas/TransactionBatchInput/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err2];
            } else {
              vErrors.push(err2);
            }
            errors++;
          }
        }
        if (data0.transactions !== void 0) {
          let data1 = data0.transactions;
          if (Array.isArray(data1)) {
            if (data1.length > 1e3) {
              const err3 = { instancePath: instancePath + "/body/transactions", schemaPath: "contract#/components/schemas/TransactionBatchInput/properties/transactions/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (data1.length < 1) {
              const err4 = { instancePath: instancePath + "/body/transactions", schemaPath: "contract#/components/schemas/TransactionBatchInput/properties/transactions/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/body/transactions", schemaPath: "contract#/components/schemas/TransactionBatchInput/properties/transactions/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/body", schemaPath: "contract#/components/schemas/TransactionBatchInput/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
  }
  validate52.errors = vErrors;
  return errors === 0;
}
validate52.evaluated = { "props": { "body": true }, "dynamicProps": false, "dynamicItems": false };
var checkTransaction2 = validate62;
function validate7(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate7.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.from === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.to === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.amount === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.nonce === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "nonce" }, message: "must have required property 'nonce'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "from" || key0 === "to" || key0 === "amount" || key0 === "nonce" || key0 === "reference" || key0 === "validUntil" || key0 === "signature" || key0 === "txHash")) {
        const err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.from !== void 0) {
      let data0 = data.from;
      if (typeof data0 === "string") {
        if (func02(data0) > 63) {
          const err5 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (func02(data0) < 62) {
          const err6 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (!pattern02.test(data0)) {
          const err7 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.to !== void 0) {
      let data1 = data.to;
      if (typeof data1 === "string") {
        if (func02(data1) > 63) {
          const err9 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        if (func02(data1) < 62) {
          const err10 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (!pattern02.test(data1)) {
          const err11 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      } else {
        const err12 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.amount !== void 0) {
      let data2 = data.amount;
      if (typeof data2 === "string") {
        if (func02(data2) > 39) {
          const err13 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/maxLength", keyword: "maxLength", params: { limit: 39 }, message: "must NOT have more than 39 characters" };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
        if (!pattern22.test(data2)) {
          const err14 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/pattern", keyword: "pattern", params: { pattern: "^[1-9][0-9]{0,38}$" }, message: 'must match pattern "^[1-9][0-9]{0,38}$"' };
          if (vErrors === null) {
            vErrors = [err14];
          } else {
            vErrors.push(err14);
          }
          errors++;
        }
        if (!formats02.validate(data2)) {
          const err15 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/format", keyword: "format", params: { format: "uint128" }, message: 'must match format "uint128"' };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
      } else {
        const err16 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
    if (data.nonce !== void 0) {
      let data3 = data.nonce;
      if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
        const err17 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
      if (typeof data3 == "number" && isFinite(data3)) {
        if (data3 > 9007199254740991 || isNaN(data3)) {
          const err18 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991" };
          if (vErrors === null) {
            vErrors = [err18];
          } else {
            vErrors.push(err18);
          }
          errors++;
        }
        if (data3 < 0 || isNaN(data3)) {
          const err19 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
        if (!formats22.validate(data3)) {
          const err20 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
          if (vErrors === null) {
            vErrors = [err20];
          } else {
            vErrors.push(err20);
          }
          errors++;
        }
      }
    }
    if (data.reference !== void 0) {
      let data4 = data.reference;
      if (typeof data4 === "string") {
        if (func02(data4) > 140) {
          const err21 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/maxLength", keyword: "maxLength", params: { limit: 140 }, message: "must NOT have more than 140 characters" };
          if (vErrors === null) {
            vErrors = [err21];
          } else {
            vErrors.push(err21);
          }
          errors++;
        }
        if (func02(data4) < 1) {
          const err22 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
        if (!pattern3.test(data4)) {
          const err23 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/pattern", keyword: "pattern", params: { pattern: "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$" }, message: 'must match pattern "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$"' };
          if (vErrors === null) {
            vErrors = [err23];
          } else {
            vErrors.push(err23);
          }
          errors++;
        }
      } else {
        const err24 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.validUntil !== void 0) {
      let data5 = data.validUntil;
      if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
        const err25 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
      if (typeof data5 == "number" && isFinite(data5)) {
        if (data5 > 253402300799 || isNaN(data5)) {
          const err26 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/maximum", keyword: "maximum", params: { comparison: "<=", limit: 253402300799 }, message: "must be <= 253402300799" };
          if (vErrors === null) {
            vErrors = [err26];
          } else {
            vErrors.push(err26);
          }
          errors++;
        }
        if (data5 < 1 || isNaN(data5)) {
          const err27 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          if (vErrors === null) {
            vErrors = [err27];
          } else {
            vErrors.push(err27);
          }
          errors++;
        }
        if (!formats22.validate(data5)) {
          const err28 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
          if (vErrors === null) {
            vErrors = [err28];
          } else {
            vErrors.push(err28);
          }
          errors++;
        }
      }
    }
    if (data.signature !== void 0) {
      let data6 = data.signature;
      if (typeof data6 === "string") {
        if (func02(data6) > 128) {
          const err29 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          if (vErrors === null) {
            vErrors = [err29];
          } else {
            vErrors.push(err29);
          }
          errors++;
        }
        if (func02(data6) < 128) {
          const err30 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/minLength", keyword: "minLength", params: { limit: 128 }, message: "must NOT have fewer than 128 characters" };
          if (vErrors === null) {
            vErrors = [err30];
          } else {
            vErrors.push(err30);
          }
          errors++;
        }
        if (!pattern4.test(data6)) {
          const err31 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{128}$" }, message: 'must match pattern "^[0-9a-f]{128}$"' };
          if (vErrors === null) {
            vErrors = [err31];
          } else {
            vErrors.push(err31);
          }
          errors++;
        }
      } else {
        const err32 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.txHash !== void 0) {
      let data7 = data.txHash;
      if (typeof data7 === "string") {
        if (func02(data7) > 64) {
          const err33 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
          if (vErrors === null) {
            vErrors = [err33];
          } else {
            vErrors.push(err33);
          }
          errors++;
        }
        if (func02(data7) < 64) {
          const err34 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/minLength", keyword: "minLength", params: { limit: 64 }, message: "must NOT have fewer than 64 characters" };
          if (vErrors === null) {
            vErrors = [err34];
          } else {
            vErrors.push(err34);
          }
          errors++;
        }
        if (!pattern52.test(data7)) {
          const err35 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f]{64}$" }, message: 'must match pattern "^[0-9A-Fa-f]{64}$"' };
          if (vErrors === null) {
            vErrors = [err35];
          } else {
            vErrors.push(err35);
          }
          errors++;
        }
      } else {
        const err36 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err36];
        } else {
          vErrors.push(err36);
        }
        errors++;
      }
    }
  } else {
    const err37 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err37];
    } else {
      vErrors.push(err37);
    }
    errors++;
  }
  validate7.errors = vErrors;
  return errors === 0;
}
validate7.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate62.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.body === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body !== void 0) {
      if (!validate7(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData, dynamicAnchors })) {
        vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
        errors = vErrors.length;
      }
    }
  }
  validate62.errors = vErrors;
  return errors === 0;
}
validate62.evaluated = { "props": { "body": true }, "dynamicProps": false, "dynamicItems": false };
var getTransaction2 = validate9;
function validate9(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  validate9.errors = null;
  return true;
}
validate9.evaluated = { "dynamicProps": false, "dynamicItems": false };
var cancelTransaction2 = validate10;
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  validate10.errors = null;
  return true;
}
validate10.evaluated = { "dynamicProps": false, "dynamicItems": false };
var listAccounts2 = validate11;
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  validate11.errors = null;
  return true;
}
validate11.evaluated = { "dynamicProps": false, "dynamicItems": false };
var getAccount2 = validate122;
function validate122(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  validate122.errors = null;
  return true;
}
validate122.evaluated = { "dynamicProps": false, "dynamicItems": false };
var transfer = validate13;
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate14.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.from === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.to === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.amount === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.nonce === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "nonce" }, message: "must have required property 'nonce'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.signature === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "signature" }, message: "must have required property 'signature'" };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "from" || key0 === "to" || key0 === "amount" || key0 === "nonce" || key0 === "reference" || key0 === "validUntil" || key0 === "signature" || key0 === "txHash")) {
        const err5 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.from !== void 0) {
      let data0 = data.from;
      if (typeof data0 === "string") {
        if (func02(data0) > 63) {
          const err6 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (func02(data0) < 62) {
          const err7 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (!pattern02.test(data0)) {
          const err8 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/from", schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.to !== void 0) {
      let data1 = data.to;
      if (typeof data1 === "string") {
        if (func02(data1) > 63) {
          const err10 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (func02(data1) < 62) {
          const err11 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/minLength", keyword: "minLength", params: { limit: 62 }, message: "must NOT have fewer than 62 characters" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        if (!pattern02.test(data1)) {
          const err12 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/pattern", keyword: "pattern", params: { pattern: "^txlt?1[02-9ac-hj-np-z]{58}$" }, message: 'must match pattern "^txlt?1[02-9ac-hj-np-z]{58}$"' };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
      } else {
        const err13 = { instancePath: instancePath + "/to", schemaPath: "contract#/components/schemas/Address/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.amount !== void 0) {
      let data2 = data.amount;
      if (typeof data2 === "string") {
        if (func02(data2) > 39) {
          const err14 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/maxLength", keyword: "maxLength", params: { limit: 39 }, message: "must NOT have more than 39 characters" };
          if (vErrors === null) {
            vErrors = [err14];
          } else {
            vErrors.push(err14);
          }
          errors++;
        }
        if (!pattern22.test(data2)) {
          const err15 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/pattern", keyword: "pattern", params: { pattern: "^[1-9][0-9]{0,38}$" }, message: 'must match pattern "^[1-9][0-9]{0,38}$"' };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
        if (!formats02.validate(data2)) {
          const err16 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/format", keyword: "format", params: { format: "uint128" }, message: 'must match format "uint128"' };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
      } else {
        const err17 = { instancePath: instancePath + "/amount", schemaPath: "contract#/components/schemas/Amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
    if (data.nonce !== void 0) {
      let data3 = data.nonce;
      if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
        const err18 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
      if (typeof data3 == "number" && isFinite(data3)) {
        if (data3 > 9007199254740991 || isNaN(data3)) {
          const err19 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991" };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
        if (data3 < 0 || isNaN(data3)) {
          const err20 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err20];
          } else {
            vErrors.push(err20);
          }
          errors++;
        }
        if (!formats22.validate(data3)) {
          const err21 = { instancePath: instancePath + "/nonce", schemaPath: "contract#/components/schemas/Nonce/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
          if (vErrors === null) {
            vErrors = [err21];
          } else {
            vErrors.push(err21);
          }
          errors++;
        }
      }
    }
    if (data.reference !== void 0) {
      let data4 = data.reference;
      if (typeof data4 === "string") {
        if (func02(data4) > 140) {
          const err22 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/maxLength", keyword: "maxLength", params: { limit: 140 }, message: "must NOT have more than 140 characters" };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
        if (func02(data4) < 1) {
          const err23 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err23];
          } else {
            vErrors.push(err23);
          }
          errors++;
        }
        if (!pattern3.test(data4)) {
          const err24 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/pattern", keyword: "pattern", params: { pattern: "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$" }, message: 'must match pattern "^[!#-\\[\\]-~]([ !#-\\[\\]-~]{0,138}[!#-\\[\\]-~])?$"' };
          if (vErrors === null) {
            vErrors = [err24];
          } else {
            vErrors.push(err24);
          }
          errors++;
        }
      } else {
        const err25 = { instancePath: instancePath + "/reference", schemaPath: "contract#/components/schemas/Reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.validUntil !== void 0) {
      let data5 = data.validUntil;
      if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
        const err26 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
      if (typeof data5 == "number" && isFinite(data5)) {
        if (data5 > 253402300799 || isNaN(data5)) {
          const err27 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/maximum", keyword: "maximum", params: { comparison: "<=", limit: 253402300799 }, message: "must be <= 253402300799" };
          if (vErrors === null) {
            vErrors = [err27];
          } else {
            vErrors.push(err27);
          }
          errors++;
        }
        if (data5 < 1 || isNaN(data5)) {
          const err28 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          if (vErrors === null) {
            vErrors = [err28];
          } else {
            vErrors.push(err28);
          }
          errors++;
        }
        if (!formats22.validate(data5)) {
          const err29 = { instancePath: instancePath + "/validUntil", schemaPath: "contract#/components/schemas/ValidUntil/format", keyword: "format", params: { format: "int64" }, message: 'must match format "int64"' };
          if (vErrors === null) {
            vErrors = [err29];
          } else {
            vErrors.push(err29);
          }
          errors++;
        }
      }
    }
    if (data.signature !== void 0) {
      let data6 = data.signature;
      if (typeof data6 === "string") {
        if (func02(data6) > 128) {
          const err30 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          if (vErrors === null) {
            vErrors = [err30];
          } else {
            vErrors.push(err30);
          }
          errors++;
        }
        if (func02(data6) < 128) {
          const err31 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/minLength", keyword: "minLength", params: { limit: 128 }, message: "must NOT have fewer than 128 characters" };
          if (vErrors === null) {
            vErrors = [err31];
          } else {
            vErrors.push(err31);
          }
          errors++;
        }
        if (!pattern4.test(data6)) {
          const err32 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{128}$" }, message: 'must match pattern "^[0-9a-f]{128}$"' };
          if (vErrors === null) {
            vErrors = [err32];
          } else {
            vErrors.push(err32);
          }
          errors++;
        }
      } else {
        const err33 = { instancePath: instancePath + "/signature", schemaPath: "contract#/components/schemas/Signature/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
    }
    if (data.txHash !== void 0) {
      let data7 = data.txHash;
      if (typeof data7 === "string") {
        if (func02(data7) > 64) {
          const err34 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
          if (vErrors === null) {
            vErrors = [err34];
          } else {
            vErrors.push(err34);
          }
          errors++;
        }
        if (func02(data7) < 64) {
          const err35 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/minLength", keyword: "minLength", params: { limit: 64 }, message: "must NOT have fewer than 64 characters" };
          if (vErrors === null) {
            vErrors = [err35];
          } else {
            vErrors.push(err35);
          }
          errors++;
        }
        if (!pattern52.test(data7)) {
          const err36 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f]{64}$" }, message: 'must match pattern "^[0-9A-Fa-f]{64}$"' };
          if (vErrors === null) {
            vErrors = [err36];
          } else {
            vErrors.push(err36);
          }
          errors++;
        }
      } else {
        const err37 = { instancePath: instancePath + "/txHash", schemaPath: "contract#/components/schemas/TxHashInput/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err37];
        } else {
          vErrors.push(err37);
        }
        errors++;
      }
    }
  } else {
    const err38 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err38];
    } else {
      vErrors.push(err38);
    }
    errors++;
  }
  validate14.errors = vErrors;
  return errors === 0;
}
validate14.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate13.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (!validate14(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
    errors = vErrors.length;
  }
  validate13.errors = vErrors;
  return errors === 0;
}
validate13.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };

// <stdin>
var HOT_VALIDATORS = { listTransactions: { parameters: listTransactions, body: listTransactions2 }, submitTransaction: { parameters: submitTransaction, body: submitTransaction2 }, submitTransactionBatch: { parameters: submitTransactionBatch, body: submitTransactionBatch2 }, checkTransaction: { parameters: checkTransaction, body: checkTransaction2 }, getTransaction: { parameters: getTransaction, body: getTransaction2 }, cancelTransaction: { parameters: cancelTransaction, body: cancelTransaction2 }, listAccounts: { parameters: listAccounts, body: listAccounts2 }, getAccount: { parameters: getAccount, body: getAccount2 } };
var validateTransfer = transfer;
export {
  HOT_VALIDATORS,
  validateTransfer
};
