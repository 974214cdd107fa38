/** A webhook could not be asked, or gave no usable answer: its failure policy decides what that means. */
export class CallFailure extends Error {}
