import { asObject } from '../../protocol/json.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { textOf } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { folderIn } from './history-plugin.ts'

const longestQuestion = 1 << 20

type Renew = (session: string, calls: readonly string[]) => Promise<void>

/** The endpoint that the plugin calls before each request of a session. */
export interface RequestDesk {
  /** From now on a session's requests wait for this callback; until it is disposed. */
  expect(session: string, renew: Renew): Disposable
}

const desks = new Map<string, Promise<RequestDesk>>()

/**
 * The endpoint for the servers of a data folder: on loopback, with a secret in a file beside the plugin. It lives as
 * long as the process.
 */
export function openDesk(dataFolder: string): Promise<RequestDesk> {
  const desk = desks.get(dataFolder) ?? open(dataFolder)
  desks.set(dataFolder, desk)
  desk.catch(() => desks.delete(dataFolder))
  return desk
}

async function open(dataFolder: string): Promise<RequestDesk> {
  const secret = randomBytes(24).toString('base64url')
  const expected = new Map<string, Renew>()
  const server = createServer((question, reply) => void answer(question, reply, secret, expected))
  server.unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await replaceFile(join(folderIn(dataFolder), 'desk.json'), JSON.stringify({ port, secret }))
  return {
    expect(session, renew) {
      expected.set(session, renew)
      return {
        [Symbol.dispose]() {
          if (expected.get(session) === renew) expected.delete(session)
        },
      }
    },
  }
}

/** The reply only says that the request may be made now. */
async function answer(
  question: IncomingMessage,
  reply: ServerResponse,
  secret: string,
  expected: ReadonlyMap<string, Renew>,
): Promise<void> {
  const end = (status: number) => void reply.writeHead(status).end()
  try {
    if (!knows(question.headers.authorization ?? '', `Bearer ${secret}`)) return end(401)
    const asked = asObject(parseJson(await textIn(question)))
    const session = textOf(asked, 'session')
    const calls = Array.isArray(asked['calls']) ? asked['calls'] : []
    await expected.get(session)?.(
      session,
      calls.filter(call => typeof call === 'string'),
    )
    end(204)
  } catch {
    // A failure here never holds up a request: the caller uses the changes that were written last.
    end(500)
  }
}

function knows(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function textIn(question: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of question.setEncoding('utf8')) {
    text += String(piece)
    if (text.length > longestQuestion) throw new Error('The request is too long.')
  }
  return text
}
