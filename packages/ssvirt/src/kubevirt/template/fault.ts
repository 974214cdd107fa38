/** Why an object of a template may not be created. */
export interface RenderingFault {
  /** The parameter with which the caller caused it; without one, only the template itself can be corrected. */
  readonly parameter?: string;
  /** The object and the field in it. */
  readonly where: string;
  /** The value and the rule; the text continues `where`. */
  readonly message: string;
}
