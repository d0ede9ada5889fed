import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderIn, withPlugin } from './history-plugin.ts'
import { openDesk } from './request-desk.ts'

type Transform = (_: object, output: { readonly messages: readonly object[] }) => Promise<void>

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-desk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function pluginIn(folder: string): Promise<Transform> {
  const { plugin } = JSON.parse((await withPlugin(null, folder)) ?? '') as {
    readonly plugin: readonly [string]
  }
  const { Dragoman } = (await import(/* @vite-ignore */ plugin[0])) as {
    readonly Dragoman: () => Promise<Record<string, Transform>>
  }
  const transform = (await Dragoman())['experimental.chat.messages.transform']
  if (transform === undefined) throw new Error('The plugin has no such hook.')
  return transform
}

const message = (role: string, ...parts: readonly object[]) => ({ info: { role, sessionID: 'ses_1' }, parts })
const read = (callID: string, status: string) => ({ type: 'tool', callID, state: { status, output: 'x' } })

it('[X6] the plugin asks before each request, with the results that are new in it', async () => {
  const folder = dataFolder()
  const desk = await openDesk(folder)
  const asked: unknown[] = []
  using _ = desk.expect('ses_1', async (session, calls) => void asked.push([session, calls]))
  const transform = await pluginIn(folder)
  const before = message('assistant', read('old', 'completed'))
  const now = message('assistant', read('a', 'completed'), read('b', 'error'), read('c', 'running'))
  await transform({}, { messages: [message('user'), before, message('user'), now] })
  expect(asked).toEqual([['ses_1', ['a', 'b']]])
})

it('[X6] a request is made with or without a reply', async () => {
  const folder = dataFolder()
  const transform = await pluginIn(folder)
  const messages = [message('user'), message('assistant', read('a', 'completed'))]
  await transform({}, { messages: [...messages] })
  const desk = await openDesk(folder)
  const ask = () => transform({}, { messages: [...messages] })
  await ask()
  using _ = desk.expect('ses_1', () => Promise.reject(new Error('The disk is full.')))
  await expect(ask()).resolves.toBeUndefined()
})

it('[X6] a caller without the secret is refused', async () => {
  const folder = dataFolder()
  const desk = await openDesk(folder)
  let asked = 0
  using _ = desk.expect('ses_1', async () => void (asked += 1))
  const { port, secret } = JSON.parse(readFileSync(join(folderIn(folder), 'desk.json'), 'utf8')) as {
    readonly port: number
    readonly secret: string
  }
  const ask = async (authorization: string, body: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { authorization }, body })).status
  const question = JSON.stringify({ session: 'ses_1', calls: [] })
  expect(await ask('Bearer wrong', question)).toBe(401)
  expect(await ask(`Bearer ${'ü'.repeat(secret.length)}`, question)).toBe(401)
  expect(await ask(`Bearer ${secret}`, 'x'.repeat(2 << 20)).catch(() => 500)).toBe(500)
  expect(asked).toBe(0)
  expect(await ask(`Bearer ${secret}`, question)).toBe(204)
  expect(asked).toBe(1)
})
