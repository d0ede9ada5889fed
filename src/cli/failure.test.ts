import { expect, it } from 'vitest'
import { DragomanError } from '../protocol/error.ts'
import { reportFailure } from './failure.ts'
import type { Shell } from './shell.ts'
import { plainStyle } from './terminal/style.ts'

/** What is reported of an error, and the exit code for it. */
function report(error: unknown, json = false, env: Readonly<Record<string, string>> = {}) {
  let text = ''
  const err = { style: plainStyle, write: (more: string) => void (text += more) }
  const code = reportFailure(error, { err, env } as unknown as Shell, json)
  return { code, text }
}

const deep = new Error('cannot open', { cause: new Error('no such disk') })

it('[O3] an unexpected error exits with 1, and shows what happened and how to report it', () => {
  const { code, text } = report(new TypeError('x is not a function'))
  expect(code).toBe(1)
  expect(text).toContain('x is not a function')
  expect(text).toContain('DRAGOMAN_DEBUG=1')
  expect(text).not.toContain('failure.test.ts')
  expect(report('a bare string').text).toContain('a bare string')
})

it('[O3] with DRAGOMAN_DEBUG the report has the stack and every cause', () => {
  const { text } = report(deep, false, { DRAGOMAN_DEBUG: '1' })
  expect(text).toMatch(
    /cannot open[^]*failure\.test\.ts[^]*caused by Error: no such disk[^]*failure\.test\.ts/,
  )
  expect(report('a bare string', false, { DRAGOMAN_DEBUG: '1' }).text.trim().split('\n').at(-1)).toBe(
    'a bare string',
  )
})

it('[O3] --json gives one line with a code and a message, and the stack only when asked for', () => {
  const { code, text } = report(deep, true)
  expect(code).toBe(1)
  expect(text.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(text)).toEqual({
    code: 'internal',
    message: expect.stringContaining('cannot open') as string,
  })
  expect(JSON.parse(report(deep, true, { DRAGOMAN_DEBUG: '1' }).text)).toMatchObject({
    stack: expect.stringContaining('no such disk') as string,
  })
})

it('[O3] a refusal shows its message: exit code 2 for wrong usage, otherwise 1', () => {
  const wrong = report(new DragomanError('invalid-input', 'The prompt is empty.'))
  expect(wrong).toEqual({ code: 2, text: 'error The prompt is empty.\n' })
  expect(report(new DragomanError('unknown-agent', 'No such agent.')).code).toBe(2)
  expect(report(new DragomanError('disk-full', 'The disk is full.')).code).toBe(1)
})

it('[R3] control sequences in an error never reach the terminal', () => {
  for (const env of [{}, { DRAGOMAN_DEBUG: '1' }] as const)
    expect(report(new Error('bad \u001b[2J name'), false, env).text).not.toContain('\u001b')
})
