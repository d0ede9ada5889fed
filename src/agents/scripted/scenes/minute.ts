import type { Step } from '../script.ts'
import { editCart } from './edits.ts'
import { numbered, shop } from './shop.ts'

/** The pause after each word, in milliseconds: slow enough to read along. */
const readable = 170
const say = (text: string, delay = 600): Step => ({ type: 'text', text, every: readable, delay })

const tasks = ['Read the cart', 'Round the total', 'Run the tests']
const plan = (done: number): Step => ({
  type: 'todos',
  delay: 800,
  todos: tasks.map((text, at) => ({
    text,
    status: at < done ? 'completed' : at === done ? 'in-progress' : 'pending',
  })),
})

const tests = {
  content: 'test/cart.test.ts (5 tests) passed\ntest/discount.test.ts (1 test) passed\n\nTests  6 passed (6)',
  structured: {
    stdout:
      'test/cart.test.ts (5 tests) passed\ntest/discount.test.ts (1 test) passed\n\nTests  6 passed (6)',
    stderr: '',
    interrupted: false,
    isImage: false,
  },
}

/** A small piece of work from prompt to result, as an agent does it, in about a minute: with one approval. */
export const minute: readonly Step[] = [
  {
    type: 'thinking',
    text: 'A total with a discount can have a fraction of a cent. I look at how the cart adds up its lines, round once at the end, and run the tests.',
    every: readable,
  },
  say(
    'The total of the cart can have fractions of a cent. I read the code first, then change one function, then run the tests.',
  ),
  plan(0),
  {
    type: 'tools',
    delay: 800,
    calls: [
      { tool: 'Read', input: { file_path: 'src/cart.ts' }, output: numbered(shop.cart), takes: 1500 },
      {
        tool: 'Grep',
        input: { pattern: 'total\\(', output_mode: 'content' },
        output:
          'src/cart.ts:21:export function total({ lines }: Cart, discount = 0): number {\nsrc/cart.ts:32:  const price = (total(cart, discount) / 100).toFixed(2)',
        takes: 2500,
      },
      {
        tool: 'Read',
        input: { file_path: 'test/money.test.ts' },
        error: 'There is no file test/money.test.ts.',
        takes: 1000,
      },
    ],
  },
  say(
    '`total` multiplies by the discount and never rounds. One of the files does not exist, which is fine: the cart has its own tests. I change the function.',
  ),
  plan(1),
  { type: 'tools', delay: 800, calls: [{ ...editCart, takes: 2000 }] },
  say(
    'Open the card above to see the change line by line. Next, I run the tests. **This needs your approval:** choose Allow, Deny or edit the command.',
  ),
  plan(2),
  {
    type: 'approval',
    delay: 400,
    tool: 'Bash',
    input: { command: 'npm test -- cart discount' },
    output: tests,
  },
  plan(3),
  say(
    [
      'The work is done:\n\n',
      '| File | Change |\n|--|--|\n| `src/cart.ts` | The total is rounded once, at the end |\n\n',
      'All of this was saved while it happened: reload the page, or open it in a second window, and nothing is missing. ',
      'The changes, the commands and the cost of a session are in its side panel.\n\n',
      'That was the demo. Take the full tour below, or start a session with an agent of your own.',
    ].join(''),
    1200,
  ),
]
