/** A webhook could not be called or gave no usable answer; its failure policy decides what follows. */
export class CallFailure extends Error {}
