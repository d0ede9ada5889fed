type Paint = (text: string) => string

/** The styles of text. */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly blue: Paint
}

const plain: Paint = text => text

/** Text as it is, for files and pipes. */
export const plainStyle: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  blue: plain,
}

/** Colours for a terminal. Each piece ends its own colour, so that pieces can be in any order. */
export const colourStyle: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  blue: paint(34, 39),
}

function paint(on: number, off: number): Paint {
  // Each line is coloured separately, so that a pager or a prefix does not get the colour.
  return text => text.replaceAll(/[^\n]+/g, line => `\u001b[${on}m${line}\u001b[${off}m`)
}
