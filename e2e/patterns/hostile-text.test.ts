import { describe, expect, it } from 'vitest'
import { APICallError } from 'ai'
import { asTyped } from '../../src/agents/claude-code/prompt-in.ts'
import { oneKind, shape, strangeIn } from '../../src/agents/kit/known-fields.ts'
import { createJsonShortener } from '../../src/agents/kit/shorten-json.ts'
import { failureOf } from '../../src/agents/model/failure.ts'
import { shortPageText } from '../../src/agents/model/tools/page-text.ts'
import { dataOf } from '../../src/agents/model/wire/read-wire.ts'
import { createPage } from '../../src/cli/transcript/page.ts'
import { inert } from '../../src/cli/terminal/inert.ts'
import { plainStyle } from '../../src/cli/terminal/style.ts'
import { createPartialJson } from '../../src/projections/partial-json.ts'
import { renderTranscript } from '../../src/projections/transcript.ts'
import type { Json } from '../../src/protocol/json.ts'
import { holds } from '../../src/protocol/linear-text.ts'
import type { Message } from '../../src/protocol/message.ts'
import { redact } from '../../src/protocol/redact.ts'
import { createEventCutter } from '../../src/protocol/server-sent-events.ts'
import { slowFor } from './slow-for.ts'

const place = { service: 'A service', model: 'm', baseUrl: 'http://a', keyName: null, keyFile: null }
const refusal = (responseBody: string) =>
  new APICallError({ message: 'no', url: 'http://a', requestBodyValues: {}, statusCode: 500, responseBody })

/** A text as a list of many that are all different. */
const listOf = (text: string) =>
  text.match(/.{1,16}/gs)?.map((words, at) => `${words} number ${at} of a list`) ?? []

/** The message of a call that gave something. */
const gave = (output: Json): Message => {
  const part = { type: 'dynamic-tool', toolName: 't', toolCallId: 'c', state: 'output-available' } as const
  return { id: 'm', role: 'assistant', parts: [{ ...part, input: {}, output }] }
}

/** Functions that read untrusted text. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  shortPageText,
  failureOf: text => failureOf(refusal(text), place),
  asTyped,
  redact,
  inert,
  dataOf,
  strangeIn: text =>
    strangeIn(
      oneKind('a', shape('b')),
      Object.fromEntries(text.split('').map((letter, at) => [letter + at, 1])),
    ),
  holds: text => holds(text, `${text.slice(0, text.length / 4)}\0${text.slice(0, text.length / 4)}`),
  renderTranscript: text =>
    renderTranscript([{ agent: 'a', message: gave(listOf(text)) }], { limit: 10_000 }),
  partialJson: text => {
    const json = createPartialJson()
    json.push(text)
    return json.value()
  },
  shortener: text => {
    const shortener = createJsonShortener()
    shortener.write(Buffer.from(text))
    return shortener.end()
  },
}

/** Functions that take such text letter by letter. */
const byLetter: Readonly<Record<string, (text: string) => unknown>> = {
  transcript: text => {
    const page = createPage(plainStyle)
    for (const letter of text.split('')) page.words('agent', 1, letter)
    return page.take()
  },
  streamCutter: text => {
    const cutter = createEventCutter()
    return [...text.split('').flatMap(letter => cutter.add(letter)), cutter.rest()]
  },
}

describe('untrusted text', () => {
  it.each(Object.entries(readers))('[S12] [S28] %s takes time in proportion to it', (_, read) => {
    expect(slowFor(read)).toEqual([])
  })

  it.each(Object.entries(byLetter))('[S12] [S28] %s takes time in proportion to its pieces', (_, read) => {
    expect(slowFor(read, ['\n', 'a', '\r', '\r\n', 'a\n', 'data:\n\n'])).toEqual([])
  })
})
