import type { Step } from '../script.ts'
import { say } from './saying.ts'

const esc = '\u001B['
const green = (text: string) => `${esc}32m${text}${esc}39m`
const red = (text: string) => `${esc}31m${text}${esc}39m`
const dim = (text: string) => `${esc}2m${text}${esc}22m`
const bold = (text: string) => `${esc}1m${text}${esc}22m`

const width = 24

/** A progress bar that a command draws over the previous one. */
const bar = (part: number) => {
  const full = Math.round(part * width)
  const line = `${esc}36m${'█'.repeat(full)}${esc}39m${dim('░'.repeat(width - full))}`
  return `\rinstalling ${line} ${String(Math.round(part * 100)).padStart(3)} %`
}

const bars = [0.1, 0.25, 0.45, 0.6, 0.8, 0.95, 1].map(bar)

/** The output of the command after a number of bars. */
const installed = (count: number) => `${bold('$ setting up the shop')}\n${bars.slice(0, count).join('')}`

const tested = [
  `${esc}7m${esc}1m${esc}36m RUN ${esc}0m ${dim('/home/you/shop')}`,
  '',
  ` ${green('✓')} test/cart.test.ts ${dim('(5 tests)')} ${esc}33m38${dim('ms')}${esc}39m`,
  ` ${green('✓')} test/discount.test.ts ${dim('(1 test)')} ${dim('2ms')}`,
  ` ${red('❯')} test/checkout.test.ts ${dim('(3 tests |')} ${red('1 skipped')}${dim(')')}`,
  '',
  ` ${dim('Test Files')}  ${bold(green('3 passed'))} ${dim('(3)')}`,
  ` ${dim('     Tests')}  ${bold(green('8 passed'))} ${dim('|')} ${esc}33m1 skipped${esc}39m ${dim('(9)')}`,
  ` ${esc}38;5;208m256 colours${esc}39m, ${esc}38;2;120;190;255mall colours${esc}39m, ${esc}4munderlined${esc}24m`,
].join('\n')

const output = (stdout: string) => ({
  content: stdout,
  structured: { stdout, stderr: '', interrupted: false, isImage: false },
})

/** A command with a progress bar, one with many colours, and one that fails. */
export const commands: readonly Step[] = [
  say('I install the packages, run the tests and run the linter, which finds a problem. '),
  {
    type: 'tools',
    calls: [
      {
        tool: 'Bash',
        input: { command: 'npm install', description: 'Install the packages of the shop' },
        progress: bars.slice(0, -1).map((_, at) => output(installed(at + 1))),
        output: output(`${installed(bars.length)}\n${green('added 214 packages')} in 2s\n`),
        takes: 1_400,
      },
    ],
  },
  {
    type: 'tools',
    calls: [
      {
        tool: 'Bash',
        input: { command: 'npm test -- --color', description: 'Run the tests' },
        output: output(tested),
        takes: 500,
      },
      {
        tool: 'Bash',
        input: { command: 'npm run lint', description: 'Run the linter' },
        error: `Exit code 1\n\nsrc/checkout.ts\n  ${dim('14:7')}  ${red('error')}  'price' is never used\n\n${red('✖ 1 problem')}`,
        takes: 600,
      },
    ],
  },
  say('The tests pass; one variable is never used. '),
]
