import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockFolder } from '../../journal/sqlite/folder-lock.ts'
import { newFolder } from '../process.fixture.ts'
import { checkServer } from './check-server.ts'

/** A data folder whose owner says that it listens at an address. */
function ownedFolder(url: string, token: string | null = 'token'): string {
  const folder = newFolder()
  const lock = lockFolder(folder, 'serve')
  onTestFinished(() => lock[Symbol.dispose]())
  lock.announce(url)
  if (token !== null) writeFileSync(join(folder, 'token'), token)
  return folder
}

/** The address of a server that refuses every call, until the test is over; with `isGone`, one where nothing listens. */
async function sickServer({ isGone = false } = {}): Promise<string> {
  const server = createServer((_, response) => response.writeHead(500).end('out of order'))
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()))
  if (isGone) await close()
  else onTestFinished(close)
  return `http://127.0.0.1:${port}`
}

it('[A12] a folder without a server gives no check of the server', async () => {
  expect(await checkServer(newFolder())).toEqual({ checks: [], agents: null })
})

it('[A12] a server that does not answer fails the check, with advice', async () => {
  const folder = ownedFolder(await sickServer({ isGone: true }))
  expect(await checkServer(folder)).toEqual({
    checks: [
      {
        name: 'server',
        status: 'fail',
        detail: expect.stringMatching(/./) as string,
        advice: expect.stringMatching(/Restart/) as string,
      },
    ],
    agents: null,
  })
})

it('[A12] a server that answers with an error fails the check', async () => {
  const { checks, agents } = await checkServer(ownedFolder(await sickServer()))
  expect(checks).toMatchObject([{ name: 'server', status: 'fail' }])
  expect(agents).toBeNull()
})

it('[A12] an unreadable token fails the check, which names the server and the file', async () => {
  const folder = ownedFolder('http://127.0.0.1:4400', null)
  const { checks } = await checkServer(folder)
  expect(checks).toMatchObject([{ name: 'server', status: 'fail' }])
  expect(checks[0]?.detail).toContain('http://127.0.0.1:4400')
  expect(checks[0]?.detail).toContain(join(folder, 'token'))
})
