import type { Step } from '../script.ts'
import { editCart } from './edits.ts'
import { say } from './saying.ts'
import { changedCart, numbered, shop } from './shop.ts'

const hits = [
  'src/cart.ts:21:export function total({ lines }: Cart, discount = 0): number {',
  'src/cart.ts:32:  const price = (total(cart, discount) / 100).toFixed(2)',
  'src/checkout.ts:2:import { total, type Cart } from "./cart.ts"',
  'src/checkout.ts:9:  const price = total(cart)',
  'test/cart.test.ts:4:import { add, emptyCart, total } from "../src/cart.ts"',
  'test/cart.test.ts:18:    expect(total(add(emptyCart, pear))).toBe(120)',
]

/** Searches and their results. */
export const searches: readonly Step[] = [
  say('I search for a name, for files, and on the web. '),
  {
    type: 'tools',
    calls: [
      {
        tool: 'Grep',
        input: { pattern: 'total\\(?', path: '.', output_mode: 'content', '-n': true },
        output: hits.join('\n'),
        takes: 250,
      },
      {
        tool: 'Glob',
        input: { pattern: 'src/**/*.ts' },
        output: ['src/cart.ts', 'src/checkout.ts', 'src/discount.ts', 'src/line.ts'].join('\n'),
        takes: 150,
      },
      {
        tool: 'WebSearch',
        input: { query: 'rounding prices to cents' },
        output:
          'Links: [{"title":"Rounding money","url":"https://example.com/rounding"},{"title":"Cents and pennies","url":"https://example.com/cents"}]',
        takes: 500,
      },
    ],
  },
  say('It is used in three places. '),
]

const read = (lines: readonly string[]) => ({
  tool: 'Read',
  input: { file_path: 'src/cart.ts' },
  output: numbered(lines),
  takes: 150,
})

const stepOf = (call: ReturnType<typeof read> | typeof editCart): Step => ({ type: 'tools', calls: [call] })

/** A file that is read twice, changed, and read again, so that much of it need not be sent to a model again. */
export const readingTwice: readonly Step[] = [
  say('I read a file, read it again, change it, and read the result. '),
  stepOf(read(shop.cart)),
  stepOf(read(shop.cart)),
  stepOf(editCart),
  stepOf(read(changedCart)),
  say('I read the same lines three times. The Context panel shows which results can be trimmed. '),
]
