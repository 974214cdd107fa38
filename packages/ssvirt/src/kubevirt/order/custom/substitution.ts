/**
 * Texts with parameters. They are filled in once, on parsed values: a value is never read again, neither for further
 * parameters nor as YAML, and cannot end the text around it.
 */
import { shown } from '../shown.ts';

/** Either literal text, or the name of the parameter that is filled in. */
export type Piece = { readonly text: string } | { readonly name: string };

export const orderName = 'ORDER_NAME';
export const tenantNamespace = 'TENANT_NAMESPACE';

const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}/;

export function piecesOf(text: string): readonly Piece[] | { readonly fault: string } {
  const pieces: Piece[] = [];
  let rest = text;
  for (;;) {
    const at = rest.indexOf('${');
    if (at < 0) break;
    // `$${` is a literal `${`.
    const isEscaped = at > 0 && rest[at - 1] === '$';
    const found = isEscaped ? undefined : name.exec(rest.slice(at, at + 128));
    if (!isEscaped && found?.[1] === undefined)
      return {
        fault: `${shown(rest.slice(at, at + 40))} begins with "\${" and names no parameter: write "\${name}", or "$\${" where "\${" itself is meant`,
      };
    pieces.push({ text: isEscaped ? `${rest.slice(0, at - 1)}\${` : rest.slice(0, at) });
    if (found?.[1] !== undefined) pieces.push({ name: found[1] });
    rest = rest.slice(at + (found?.[0].length ?? 2));
  }
  pieces.push({ text: rest });
  return pieces.filter((piece) => 'name' in piece || piece.text !== '');
}

/** `onlyName` returns the name if a text is nothing but `${name}`. */
export function onlyName(pieces: readonly Piece[]): string | undefined {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined && 'name' in only ? only.name : undefined;
}

export function namesIn(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) => ('name' in piece ? [piece.name] : []));
}

export function filled(pieces: readonly Piece[], textOf: (name: string) => string): string {
  return pieces.map((piece) => ('name' in piece ? textOf(piece.name) : piece.text)).join('');
}
