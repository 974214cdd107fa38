/** A mistake in the cloudkit-operator, in what it makes of an order or in how it asks AAP, and the tests that must notice it. */
export { checkOf, witnesses, type ApiDefect as OrderDefect } from '../api/defect.ts';
