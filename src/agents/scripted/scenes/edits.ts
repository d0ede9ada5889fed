import type { Step } from '../script.ts'
import { say } from './saying.ts'
import { changedAt, shop } from './shop.ts'

const context = 2

/** The change as Claude Code reports it beside the text of the result. */
const structuredPatch = [
  {
    oldStart: changedAt - context,
    oldLines: shop.before.length + 2 * context,
    newStart: changedAt - context,
    newLines: shop.after.length + 2 * context,
    lines: [
      ...shop.cart.slice(changedAt - 1 - context, changedAt - 1).map(line => ` ${line}`),
      ...shop.before.map(line => `-${line}`),
      ...shop.after.map(line => `+${line}`),
      ...shop.cart
        .slice(changedAt - 1 + shop.before.length, changedAt - 1 + shop.before.length + context)
        .map(line => ` ${line}`),
    ],
  },
]

/** The call that changes the cart's file. */
export const editCart = {
  tool: 'Edit',
  input: {
    file_path: 'src/cart.ts',
    old_string: shop.before.join('\n'),
    new_string: shop.after.join('\n'),
    replace_all: false,
  },
  output: {
    content: 'The file src/cart.ts has been updated successfully.',
    structured: { filePath: 'src/cart.ts', structuredPatch, userModified: false },
  },
  takes: 200,
} as const

const patch = [
  '*** Begin Patch',
  '*** Update File: src/checkout.ts',
  '@@ export function checkout(cart: Cart): Receipt {',
  '-  const price = total(cart)',
  '+  const discount = discountOf(cart.voucher)',
  '+  const price = total(cart, discount)',
  '   return { price, at: Date.now() }',
  '*** Add File: test/discount.test.ts',
  "+import { expect, it } from 'vitest'",
  "+import { discountOf } from '../src/discount.ts'",
  '+',
  "+it('knows the vouchers', () => {",
  "+  expect(discountOf('SPRING')).toBe(0.1)",
  '+})',
  '*** Delete File: src/old-prices.ts',
  '*** End Patch',
].join('\n')

/** Files that are changed, written and patched, each in the way of another agent. */
export const edits: readonly Step[] = [
  say('I change a file, write a new one, and patch three at once. '),
  { type: 'tools', calls: [editCart] },
  {
    type: 'tools',
    calls: [
      {
        tool: 'Write',
        input: { file_path: 'src/discount.ts', content: `${shop.discount.join('\n')}\n` },
        output: {
          content: 'File created successfully at: src/discount.ts',
          structured: { type: 'create', filePath: 'src/discount.ts', structuredPatch: [] },
        },
        takes: 200,
      },
      {
        tool: 'apply_patch',
        input: { patch },
        output:
          'Success. Updated the following files:\nA test/discount.test.ts\nM src/checkout.ts\nD src/old-prices.ts',
        takes: 400,
      },
    ],
  },
  say('Open the cards to see what changed, line by line. '),
]
