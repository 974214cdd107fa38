/** The screen of a simulated guest: color bars, its name in large letters, and the typed text. */
import { GLYPH_HEIGHT, GLYPH_WIDTH, isLit } from './font.ts';

export const WIDTH = 640;
export const HEIGHT = 400;

type Colour = readonly [red: number, green: number, blue: number];

const background: Colour = [12, 24, 44];
const ink: Colour = [235, 240, 250];
const faint: Colour = [140, 160, 190];
const bars: readonly Colour[] = [
  [235, 235, 235],
  [235, 235, 16],
  [16, 235, 235],
  [16, 235, 16],
  [235, 16, 235],
  [235, 16, 16],
  [16, 16, 235],
];
const BAR_HEIGHT = 48;

export interface Picture {
  readonly name: string;
  readonly lines: readonly string[];
  readonly typed: string;
}

/** Three bytes per pixel, row by row. */
export function draw({ name, lines, typed }: Picture): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  fill(pixels, 0, 0, WIDTH, HEIGHT, background);
  const barWidth = WIDTH / bars.length;
  for (const [place, colour] of bars.entries())
    fill(pixels, Math.floor(place * barWidth), HEIGHT - BAR_HEIGHT, Math.ceil(barWidth), BAR_HEIGHT, colour);
  const scale = Math.max(1, Math.min(8, Math.floor((WIDTH - 40) / (Math.max(1, name.length) * (GLYPH_WIDTH + 1)))));
  write(pixels, name, 20, 30, scale, ink);
  let y = 30 + (GLYPH_HEIGHT + 3) * scale;
  for (const line of lines) {
    write(pixels, line, 20, y, 2, faint);
    y += (GLYPH_HEIGHT + 3) * 2;
  }
  write(pixels, `> ${typed}_`, 20, HEIGHT - BAR_HEIGHT - 40, 2, ink);
  return pixels;
}

function fill(pixels: Uint8Array, left: number, top: number, width: number, height: number, colour: Colour): void {
  for (let y = top; y < Math.min(HEIGHT, top + height); y++)
    for (let x = left; x < Math.min(WIDTH, left + width); x++) pixels.set(colour, (y * WIDTH + x) * 3);
}

function write(pixels: Uint8Array, text: string, left: number, top: number, scale: number, colour: Colour): void {
  for (const [place, letter] of [...text].entries()) {
    const x = left + place * (GLYPH_WIDTH + 1) * scale;
    if (x + GLYPH_WIDTH * scale > WIDTH) return;
    for (let row = 0; row < GLYPH_HEIGHT; row++)
      for (let column = 0; column < GLYPH_WIDTH; column++)
        if (isLit(letter, column, row)) fill(pixels, x + column * scale, top + row * scale, scale, scale, colour);
  }
}
