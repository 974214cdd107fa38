/** Why an object of a template may not be made. */
export interface TemplateFault {
  /** The parameter by which the caller brought it about; without one only the template itself can be mended. */
  readonly parameter?: string;
  /** The object and the field in it. */
  readonly where: string;
  /** What is there, and the rule; it goes on after `where`. */
  readonly message: string;
}
