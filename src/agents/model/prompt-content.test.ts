import { expect, it } from 'vitest'
import type { PromptPart } from '../../protocol/message.ts'
import { promptMessage, withTextsRead } from './prompt-content.ts'

type FilePart = Extract<PromptPart, { readonly type: 'file' }>

const contentOf = (file: Omit<FilePart, 'type'>) => promptMessage([{ type: 'file', ...file }]).content

it('[A9] an image on the web is sent by its address, with its name', () => {
  const url = 'https://example.com/a.png'
  expect(contentOf({ url, mediaType: 'image/png', filename: 'a.png' })).toEqual([
    { type: 'file', mediaType: 'image/png', data: new URL(url), filename: 'a.png' },
  ])
})

it('[A9] an attached image is sent unchanged, and an attached text file as text', () => {
  expect(contentOf({ url: 'data:image/png;base64,AAEC', mediaType: 'image/png' })).toEqual([
    { type: 'file', mediaType: 'image/png', data: 'AAEC' },
  ])
  const url = `data:text/plain;base64,${Buffer.from('grüße').toString('base64')}`
  expect(contentOf({ url, mediaType: 'text/plain', filename: 'note.txt' })).toEqual([
    { type: 'text', text: 'note.txt:\ngrüße' },
  ])
})

it('[A9] an attachment with broken data is named to the model, and the rest of the prompt is sent', () => {
  const broken = {
    type: 'file',
    url: 'data:image/png;base64,not base64!',
    mediaType: 'image/png',
    filename: 'a.png',
  } as const
  const { content } = promptMessage([{ type: 'text', text: 'Look:' }, broken])
  expect(content).toEqual([
    { type: 'text', text: 'Look:' },
    { type: 'text', text: expect.stringMatching(/^\[a\.png: (?!.*not base64!)/) },
  ])
})

it('[A9] an address that is not on the web is never fetched: the model only sees it as text', () => {
  for (const url of ['file:///etc/passwd', 'ftp://example.com/a', 'a.png', 'HTTP//x'])
    expect(contentOf({ url, mediaType: 'image/png' })).toEqual([
      { type: 'text', text: `[image/png: ${url}]` },
    ])
})

it('[A9] text files in earlier messages become text; images and web addresses stay', () => {
  const picture = { type: 'file', mediaType: 'image/png', data: 'AAEC' } as const
  const onTheWeb = { type: 'file', mediaType: 'text/plain', data: 'https://example.com/a.txt' } as const
  const text = {
    type: 'file',
    mediaType: 'text/plain',
    data: Buffer.from('words').toString('base64'),
  } as const
  expect(withTextsRead([{ role: 'user', content: [picture, onTheWeb, text] }])).toEqual([
    { role: 'user', content: [picture, onTheWeb, { type: 'text', text: 'attachment:\nwords' }] },
  ])
  const plain = { role: 'user', content: 'Hi' } as const
  expect(withTextsRead([plain])).toEqual([plain])
})
