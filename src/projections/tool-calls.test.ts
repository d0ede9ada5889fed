import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import { foldEntries } from './fold.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  failure,
  finish,
  journal,
  output,
  spoke,
  start,
  started,
} from './journal.fixture.ts'
import { createToolCalls } from './tool-calls.ts'

const ours = { dynamic: true, providerExecuted: true } as const
const callsOf = (...events: readonly Event[]) =>
  foldEntries(createToolCalls(), journal(created(), started('i'), ...events))
const callsIn = (...chunks: readonly Chunk[]) => callsOf(spoke('i', null, start('m'), ...chunks))

describe('createToolCalls', () => {
  it('[X7] pairs a call with its result, and measures from its input to its end', () => {
    const begins: Chunk = { type: 'tool-input-start', toolCallId: 'c', toolName: 'Read', ...ours }
    const calls = callsOf(
      spoke('i', null, start('m'), begins),
      spoke('i', null, call('c')),
      spoke('i', null, output('c'), finish),
    )
    expect(calls).toEqual([
      {
        toolCallId: 'c',
        tool: 'Read',
        input: { input: 'in' },
        output: 'out',
        outcome: 'success',
        message: 'm',
        thread: null,
        interaction: 'i',
        agent: 'scripted',
        cwd: '/',
        start: { seq: 3, at: 3000 },
        ready: { seq: 4, at: 4000 },
        end: { seq: 5, at: 5000 },
        closed: false,
        approval: null,
        duration: 1000,
        unknownCall: false,
      },
    ])
  })

  it('[X7] knows every outcome', () => {
    const badInput: Chunk = {
      type: 'tool-input-error',
      toolCallId: 'c',
      toolName: 'R',
      input: 'x',
      errorText: 'bad',
    }
    const preliminary: Chunk = { ...output('c'), preliminary: true } as Chunk
    expect(callsIn(call('c'))).toMatchObject([{ outcome: 'pending', end: null, duration: null }])
    expect(callsIn(call('c'), preliminary)).toMatchObject([{ outcome: 'pending', output: 'out' }])
    expect(callsIn(call('c'), failure('c'))).toMatchObject([{ outcome: 'failure', errorText: 'no' }])
    expect(callsIn(badInput)).toMatchObject([{ outcome: 'failure', errorText: 'bad', input: 'x' }])
    expect(callsIn(call('c'), ask('c'), { type: 'tool-output-denied', toolCallId: 'c' })).toMatchObject([
      { outcome: 'denied' },
    ])
  })

  it('[X7] counts an error after a denial as denied, and excludes the wait from the duration', () => {
    const asked = spoke('i', null, start('m'), call('c'), ask('c'))
    const refused = callsOf(asked, answered('ask-c', { approved: false }), spoke('i', null, failure('c')))
    expect(refused).toMatchObject([{ outcome: 'denied', duration: 1000 }])
    const changed = callsOf(asked, answered('ask-c', { input: 'safe' }), spoke('i', null, output('c')))
    expect(changed).toMatchObject([{ outcome: 'success', input: 'safe' }])
  })

  it('[P3] joins a late result, keeps a corrected one, and ignores the same again', () => {
    const first = [spoke('i', null, start('m'), call('c'), finish), ended('i'), started('j')]
    const late = spoke('j', null, start('m'), output('c', 'late'), finish)
    expect(callsOf(...first, late)).toMatchObject([{ output: 'late', interaction: 'i', end: { seq: 6 } }])
    expect(callsOf(...first, late, late)).toMatchObject([{ end: { seq: 6 } }])
    const later = spoke('j', null, start('m'), output('c', 'later'), finish)
    expect(callsOf(...first, late, later)).toMatchObject([{ output: 'later', end: { seq: 7 } }])
  })

  it('[P3] flags a result without a call', () => {
    const made = { ...call('c'), providerMetadata: { dragoman: { unknownCall: true } } } as Chunk
    expect(callsIn(made, output('c'))).toMatchObject([{ unknownCall: true, outcome: 'success' }])
  })

  it('[X7] drops a retracted call', () => {
    const retracted: Chunk = { type: 'data-retracted', data: { ids: ['c'], indexes: [0] } }
    expect(callsIn(call('c'), failure('c'), retracted, call('d'))).toMatchObject([{ toolCallId: 'd' }])
  })
})
