/**
 * The background and text color of the terminal, as in `tokens.css`: of the two backgrounds, the lighter one,
 * which has less contrast.
 */
const base: Readonly<Record<string, string>> = { paper: '#1c1e22', ink: '#e3e1dc' }

/** The sixteen named colors, chosen for a dark background. */
const named = [
  '#4a4d55',
  '#f2777a',
  '#8fd18f',
  '#e5c07b',
  '#7fb4f0',
  '#d3a0e8',
  '#6fcfd0',
  '#d5d3ce',
  '#8d9099',
  '#ff9a94',
  '#aee8a6',
  '#f5dc9a',
  '#a6cdff',
  '#e8bdf7',
  '#9be8e6',
  '#ffffff',
]

const steps = [0, 95, 135, 175, 215, 255]

/** The color of a palette number from 0 to 255, or an RGB color unchanged. */
export function toHex(colour: number | string): string {
  if (typeof colour === 'string') return colour
  const known = named[colour]
  if (known !== undefined) return known
  if (colour >= 232) return hexOf([8, 8, 8].map(part => part + (colour - 232) * 10))
  const cube = colour - 16
  return hexOf([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step => steps[step] ?? 0))
}

const hexOf = (parts: readonly number[]) =>
  `#${parts.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const partsOf = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(hex).map(part => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How far apart two colours are for the eye: 1 for the same, 21 for black and white. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [brightness(one), brightness(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const mixed = (one: string, other: string, share: number) => {
  const others = partsOf(other)
  return hexOf(partsOf(one).map((part, at) => part + ((others[at] ?? 0) - part) * share))
}

/** The readable text color nearest to the requested one, on a background. */
export function readable(text: string, ground: string, dim: boolean): string {
  const [front, back] = [base[text] ?? text, base[ground] ?? ground]
  const asked = dim ? mixed(front, back, 0.3) : front
  const far = contrast('#ffffff', back) > contrast('#000000', back) ? '#ffffff' : '#000000'
  for (const share of [0, 0.2, 0.4, 0.6, 0.8]) {
    const colour = mixed(asked, far, share)
    if (contrast(colour, back) >= 4.5) return colour
  }
  return far
}
