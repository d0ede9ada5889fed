import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { HistoryEdit } from '../agent.ts'
import { textOf } from './fields.ts'
import { editedText, openLineHistory, type LineFormat } from './line-history.ts'

const format: LineFormat = {
  agent: 'puppet',
  resultsIn: line => ('call' in line ? [[textOf(line, 'call'), line['result'] ?? '']] : []),
  withResults: (line, results) => ({ ...line, result: results.get(textOf(line, 'call')) ?? '' }),
  edited: (result, edit) => editedText(typeof result === 'string' ? result : '', edit),
  thinking: {
    contentOf: line => line['content'] ?? line['result'] ?? null,
    nameOf: line => ('content' in line ? 'message' : null),
    without: content => (content === 'so' ? 'nothing' : content),
    withContent: (line, content) => ({ ...line, content }),
  },
}

/** A file with a number of results, each followed by another line, and a function that opens it. */
async function setUp(results: readonly string[], between: string) {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-history-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'own.jsonl')
  const lines = results.flatMap((result, at) => [JSON.stringify({ call: `c${at}`, result }), between])
  const whole = `${lines.join('\n')}\n`
  await writeFile(file, whole)
  const open = () => openLineHistory(format, file, { agentSession: 's', dataFolder: join(folder, 'data') })
  return { file, whole, open, read: () => readFile(file, 'utf8') }
}

const clear = (call: string): HistoryEdit => ({
  call,
  how: 'replace',
  text: `[${call} cleared]`,
  keepFirst: 0,
  keepLast: 0,
})

const anEdit = fc.record({
  call: fc.nat(4).map(at => `c${at}`),
  how: fc.constantFrom('replace' as const, 'append' as const),
  text: fc.string(),
  keepFirst: fc.nat(2),
  keepLast: fc.nat(2),
})

it('[X6] without changes a history is restored byte for byte, whatever was changed before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.uniqueArray(anEdit, { selector: ({ call }) => call }), { maxLength: 4 }),
      async (results, boundaries) => {
        const { open, read, whole } = await setUp(results, '{"x" : 1.0}')
        for (const edits of boundaries) {
          await (await open()).write(edits, [])
          const byCall = new Map(edits.map(edit => [edit.call, edit]))
          const wanted = results.map((result, at) => {
            const edit = byCall.get(`c${at}`)
            return edit === undefined ? result : editedText(result, edit)
          })
          const lines = (await read()).split('\n').filter(line => line.includes('"call"'))
          expect(lines.map(line => (JSON.parse(line) as { result: string }).result)).toEqual(wanted)
        }
        await (await open()).write([], [])
        expect(await read()).toBe(whole)
      },
    ),
    { numRuns: 60 },
  )
})

it('[X6] thinking after a change is removed, thinking before it stays, and a rollback restores it', async () => {
  const thought = JSON.stringify({ content: 'so' })
  const { open, read, whole } = await setUp(['one', 'two', 'three'], thought)
  await (await open()).write([clear('c1')], [])
  const lines = (await read()).split('\n')
  expect(lines.map(line => line === thought)).toEqual([false, true, false, false, false, false, false])
  await (await open()).write([clear('c2')], [])
  expect((await read()).split('\n').map(line => line === thought)).toEqual([
    false,
    true,
    false,
    true,
    false,
    false,
    false,
  ])
  await (await open()).write([], [])
  expect(await read()).toBe(whole)
})

it('[X6] a copy of a history can be restored too', async () => {
  const { file, open, read, whole } = await setUp(['one', 'two'], '{}')
  await (await open()).write([clear('c0')], [])
  await writeFile(file, (await read()).replaceAll('{}', '{"copied":true}'))
  await (await open()).write([], [])
  expect(await read()).toBe(whole.replaceAll('{}', '{"copied":true}'))
})

it('[X6] a result that another program changed stays as it is', async () => {
  const { file, open, read } = await setUp(['one'], '{}')
  await (await open()).write([clear('c0')], [])
  const theirs = (await read()).replace('[c0 cleared]', 'theirs')
  await writeFile(file, theirs)
  await (await open()).write([], [])
  expect(await read()).toBe(theirs)
})

it('[X6] a history that is not as expected is not changed', async () => {
  const { file, open, read } = await setUp(['one'], '{}')
  const history = await open()
  await writeFile(file, `${await read()}{"late":true}\n`)
  await expect(history.write([clear('c0')], [])).rejects.toThrow('another program')
  expect(await read()).toContain('"one"')
  await writeFile(file, `${await read()}{"call":"c0","result":"again"}\n`)
  await expect(open()).rejects.toThrow('two results')
  await writeFile(file, Buffer.from([0x7b, 0xff, 0x7d]))
  await expect(open()).rejects.toThrow('UTF-8')
})
