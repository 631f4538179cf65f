import { readFileSync } from 'node:fs';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator, ResponseValidator } from 'express-openapi-validator/dist/middlewares/index.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';

// Prepares the contract like the middleware of express-openapi-validator, without the server's shortcuts.

const apiSpec = JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'));
const { ajvOpts, options } = new OpenApiValidator({ apiSpec, validateRequests: true, validateResponses: true });
const loader = new OpenApiSpecLoader({ apiDoc: apiSpec, validateApiSpec: true, $refParser: options.$refParser });
const { apiDoc } = await loader.load();
const preprocessor = new SchemaPreprocessor(apiDoc, ajvOpts.preprocessor, options.validateResponses);
const { apiDoc: requests, apiDocRes: responses } = preprocessor.preProcess();
new RequestValidator(requests, ajvOpts.request);
new ResponseValidator(responses, ajvOpts.response, options.validateResponses);
