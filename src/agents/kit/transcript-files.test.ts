import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { claudeCode } from '../claude-code/index.ts'
import { geminiCli } from '../gemini-cli/index.ts'
import { opencode } from '../opencode/index.ts'
import { filesBelow, firstIn, readObjects, readText } from './transcript-files.ts'

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), '{}\n')
  }
  return folder
}

const hasPipes = process.platform !== 'win32'

describe.runIf(hasPipes)('a pipe, which would block the server', () => {
  it.each(['a.jsonl', 'session-1.json', 'opencode.db'])(
    '[O1] is refused as %s by every agent',
    async name => {
      const file = join(folderWith(), name)
      execFileSync('mkfifo', [file])
      for (const { importer } of [claudeCode, geminiCli, opencode])
        await expect(importer?.find(file)[Symbol.asyncIterator]().next()).rejects.toThrow(
          'This is neither a file nor a folder. Choose a transcript',
        )
    },
  )

  it('[O1] is refused where a transcript was before, and beside one', async () => {
    const file = join(folderWith(), 'a.jsonl')
    execFileSync('mkfifo', [file])
    expect(await firstIn(file)).toBeUndefined()
    await expect(readObjects(file, { dataFolder: '/nowhere', skip: () => {} })).rejects.toThrow(
      'neither a file',
    )
    await expect(readText(file)).rejects.toThrow('neither a file')
  })

  it('[O1] is refused behind a link, and so is a device that never ends', async () => {
    const folder = folderWith()
    symlinkSync('/dev/zero', join(folder, 'zero'))
    await expect(readText(join(folder, 'zero'))).rejects.toThrow('neither a file')
  })
})

it('[O1] recognizes a transcript whose first line is long, such as a prompt with pictures', async () => {
  const file = join(folderWith(), 'a.jsonl')
  const first = { type: 'user', sessionId: 's', parentUuid: null, text: 'x'.repeat(6_000_000) }
  writeFileSync(file, `${JSON.stringify(first)}\n{"next":true}\n`)
  expect((await firstIn(file))?.['sessionId']).toBe('s')
  expect((await claudeCode.importer?.find(file)[Symbol.asyncIterator]().next())?.value).toMatchObject({
    agentSession: 's',
  })
})

it('[O1] a folder that cannot be read does not hide the files beside it, and is reported', async () => {
  const folder = folderWith('a/1.jsonl', 'b/2.jsonl', 'c/3.jsonl')
  const seen: string[] = []
  const reading = (async () => {
    for await (const file of filesBelow(folder)) {
      seen.push(file.slice(folder.length + 1))
      rmSync(join(folder, 'b'), { recursive: true, force: true })
    }
  })()
  await expect(reading).rejects.toMatchObject({ code: 'ENOENT', path: join(folder, 'b') })
  expect(seen).toEqual([join('a', '1.jsonl'), join('c', '3.jsonl')])
})
