import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startThread } from './threads.ts'
import type { ToWriter } from './writer-messages.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-writer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the writer's thread and has it open a folder. */
function startWriter(folder: string) {
  const writer = startThread('writer', undefined)
  onTestFinished(() => void writer.terminate())
  const options = { folder, durability: 'full', fault: null, checkpointPages: 1000, maxPages: null } as const
  writer.postMessage({ type: 'open', options } satisfies ToWriter)
  return writer
}

it('[R1] a database that disappears before the writer opens it is reported and not created again', async () => {
  const folder = newFolder()
  const writer = startWriter(folder)
  const ended = once(writer, 'exit')
  const [message] = (await once(writer, 'message')) as unknown[]
  expect(message).toEqual({
    type: 'health',
    failure: {
      code: 'data-folder-gone',
      message: expect.stringContaining(`${folder} was removed or replaced`) as string,
    },
  })
  expect(await ended).toEqual([0])
  expect(readdirSync(folder)).toEqual([])
})

it('[R1] a writer that cannot read the database ends its thread with the reason and acknowledges nothing', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'journal.db'), 'not a database, but longer than the header of one\n'.repeat(10))
  const [error] = (await once(startWriter(folder), 'error')) as unknown[]
  expect(String(error)).toContain('file is not a database')
})
