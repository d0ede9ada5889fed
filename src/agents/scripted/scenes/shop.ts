/** The small shop that the demo works on. Its files do not exist, but they look real. */
export const shop: Readonly<Record<'cart' | 'before' | 'after' | 'discount', readonly string[]>> = {
  cart: [
    "import type { Line } from './line.ts'",
    '',
    '/** The articles that a customer wants to buy. */',
    'export interface Cart {',
    '  readonly lines: readonly Line[]',
    '  readonly voucher: string | null',
    '}',
    '',
    '/** A cart with nothing in it. */',
    'export const emptyCart: Cart = { lines: [], voucher: null }',
    '',
    '/** The same cart with one more article. */',
    'export function add(cart: Cart, line: Line): Cart {',
    '  const known = cart.lines.find(({ article }) => article === line.article)',
    '  if (known === undefined) return { ...cart, lines: [...cart.lines, line] }',
    '  const more = { ...known, count: known.count + line.count }',
    '  return { ...cart, lines: cart.lines.map(each => (each === known ? more : each)) }',
    '}',
    '',
    '/** The price of what is in the cart, in cents. */',
    'export function total({ lines }: Cart, discount = 0): number {',
    '  let sum = 0',
    '  for (const line of lines) {',
    '    sum = sum + line.price * line.count',
    '  }',
    '  return sum * (1 - discount)',
    '}',
    '',
    '/** The text that is shown before the payment. */',
    'export function summary(cart: Cart, discount = 0): string {',
    '  const count = cart.lines.reduce((all, line) => all + line.count, 0)',
    '  const price = (total(cart, discount) / 100).toFixed(2)',
    "  return `${count} ${count === 1 ? 'thing' : 'things'} for ${price}`",
    '}',
  ],
  /** The end of the cart's file before the change and after it. */
  before: [
    '  let sum = 0',
    '  for (const line of lines) {',
    '    sum = sum + line.price * line.count',
    '  }',
    '  return sum * (1 - discount)',
  ],
  after: [
    '  const sum = lines.reduce((all, { price, count }) => all + price * count, 0)',
    '  return Math.round(sum * (1 - discount))',
  ],
  discount: [
    '/** The discount of a voucher, as a fraction. */',
    'export function discountOf(voucher: string | null): number {',
    "  if (voucher === 'SPRING') return 0.1",
    "  if (voucher === 'FRIEND') return 0.25",
    '  return 0',
    '}',
  ],
}

/** The number of the first changed line of the cart's file, counted from one. */
export const changedAt: number = shop.cart.findIndex(line => line === shop.before[0]) + 1

/** Lines with their numbers, as agents see files. */
export const numbered = (lines: readonly string[]): string =>
  lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join('\n')

/** The cart's file after the change. */
export const changedCart: readonly string[] = shop.cart.toSpliced(
  changedAt - 1,
  shop.before.length,
  ...shop.after,
)
