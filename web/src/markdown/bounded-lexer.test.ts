import { describe, expect, it } from 'vitest'
import { createBlockCutter } from './blocks.ts'
import { BoundedLexer } from './bounded-lexer.ts'

const many = 100_000
const steps = Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')

const bombs = {
  quotes: '>'.repeat(many),
  'quotes with spaces': '> '.repeat(many),
  'quotes and lists': '> - '.repeat(many),
  'lists in one line': '- '.repeat(many),
  stars: '* '.repeat(many),
  'numbers in one line': '1. '.repeat(many),
  'a staircase of lists': steps,
  brackets: '['.repeat(many),
  'brackets and back': '['.repeat(many) + ']'.repeat(many),
  'open links': '[a]('.repeat(many),
  'closed links': '['.repeat(many) + '](a)'.repeat(many),
  'open pictures': '!['.repeat(many),
  emphasis: '*a '.repeat(many),
  underscores: '_a'.repeat(many),
  'strong emphasis': '*a **b '.repeat(many),
  backticks: Array.from({ length: 400 }, (_, count) => '`'.repeat(count)).join('a'),
  tags: '<a '.repeat(many),
  comments: '<!--'.repeat(many),
  dollars: '$a '.repeat(many),
  formulas: '\\('.repeat(many),
  'a wide table': `${'|a'.repeat(many)}\n${'|-'.repeat(many)}\n${'|b'.repeat(many)}`,
  addresses: 'http://'.repeat(many),
  mails: 'a@'.repeat(many),
  backslashes: '\\'.repeat(many),
  ampersands: '&'.repeat(many),
  names: '[a]: b\n'.repeat(many / 10),
  lines: 'a\n'.repeat(many),
  'empty lines': '\n'.repeat(many),
  spaces: `${' '.repeat(many)}a`,
} as const

describe('the bounded lexer', () => {
  it.each(Object.entries(bombs))('[R3] parses %s in time proportional to the text', (_, bomb) => {
    const lexer = new BoundedLexer()
    lexer.lex(bomb)
    expect(lexer.work).toBeLessThan(80 * bomb.length)
  })

  it.each(Object.entries(bombs))('[R3] splits %s into blocks in time proportional to the text', (_, bomb) => {
    const cutter = createBlockCutter()
    cutter.cut(bomb)
    expect(cutter.work).toBeLessThan(80 * bomb.length)
  })
})
