import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Room } from './room.ts'
import { transcript } from './steps.ts'

/** A window large enough for a whole conversation, so that all of it is drawn. */
export const tall = { viewport: { width: 1280, height: 2400 } } as const

/** A conversation as a reader compares it: the prompts, and the text of the lists in the answers. */
export interface Talk {
  readonly asked: readonly string[]
  readonly answers: string
}

/** Waits until something is so; fails with the sentence when it is not within the time. */
export async function until(what: string, isSo: () => Promise<boolean>, ms = 30_000): Promise<void> {
  const end = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`After ${ms / 1000} s it is still not so that ${what}.`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** What a page shows of its session. */
export async function shownTalk(page: Page): Promise<Talk> {
  const log = transcript(page)
  const asked = log.getByRole('article', { name: 'You', exact: true }).getByRole('paragraph')
  const answers = await log.getByRole('listitem').allInnerTexts()
  return { asked: await asked.allInnerTexts(), answers: withoutNumbers(answers.join(' ')) }
}

/** What the server has of a session. */
export async function savedTalk({ client }: Room, session: string): Promise<Talk> {
  const { messages } = await client.call('listMessages', { params: { session } })
  const words = (role: string) =>
    messages.flatMap(message =>
      message.role === role
        ? message.parts.flatMap(part => (part.type === 'text' ? [String(part['text'])] : []))
        : [],
    )
  const lists = words('assistant').filter(text => text.startsWith('1. '))
  return { asked: words('user'), answers: withoutNumbers(lists.join(' ')) }
}

/** The browser adds the numbers of lists, so they are not in the text. */
const withoutNumbers = (text: string) =>
  text
    .replaceAll(/\b\d+\.(?=\s|$)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Waits until pages show exactly what the server has. */
export async function untilSame(room: Room, session: string, ...pages: readonly Page[]): Promise<void> {
  const saved = await savedTalk(room, session)
  const isSame = async () => {
    for (const page of pages)
      if (JSON.stringify(await shownTalk(page)) !== JSON.stringify(saved)) return false
    return true
  }
  await until('the page shows what the server has', isSame, 20_000).catch(() => undefined)
  for (const page of pages) assert.deepEqual(await shownTalk(page), saved)
}

/** Creates a session by API and sends prompts, one after the other. */
export async function talkOf({ client }: Room, ...prompts: readonly string[]): Promise<string> {
  const { id } = await client.createSession()
  for (const prompt of prompts) await client.session(id).prompt(prompt).saved
  return id
}

/** Whether an element is visible without scrolling. */
export async function isInView(page: Page, words: string): Promise<boolean> {
  const found = transcript(page).getByText(words)
  const box = (await found.count()) === 0 ? null : await found.first().boundingBox()
  const height = page.viewportSize()?.height ?? 0
  return box !== null && box.y >= 0 && box.y < height
}
