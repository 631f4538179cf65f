import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { document } from '../../../scripts/contract/read.ts';

export const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true, double: true } });
addFormats.default(ajv);
ajv.addSchema(document, 'contract.json');

/** The validator of a schema of the contract, compiled once. @param pointer to the schema, as in a `$ref` */
export function validatorAt(pointer: string): ValidateFunction {
  return ajv.getSchema(`contract.json${pointer}`)!;
}
