import { expect, it } from 'vitest'
import { contentOf } from './part-content.ts'

it('[W2] some notices have their own row: messages of the user, output of a command', () => {
  const setting = { shortened: new Map(), thread: null }
  const notice = (code: string) =>
    contentOf({ type: 'data-notice', data: { level: 'info', code, message: 'words' } }, setting)
  expect(notice('compacted')).toEqual({ kind: 'compaction', words: 'words' })
  expect(notice('said-meanwhile')).toEqual({ kind: 'meanwhile', words: 'words' })
  expect(notice('shell-output')).toEqual({ kind: 'printed', output: 'words', errors: '' })
  expect(notice('shell-errors')).toEqual({ kind: 'printed', output: '', errors: 'words' })
  // Agents name their own notices, and these are names of functions that every object has.
  for (const code of ['retry', 'local-command', 'constructor', 'toString'])
    expect(notice(code)).toEqual({ kind: 'notice', level: 'info', code, message: 'words' })
})
