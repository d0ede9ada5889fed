import { expect, it } from 'vitest'
import { readDrawRequest, readFrameMessage } from './messages.ts'

it('[R3] the page accepts only known messages from the frame', () => {
  expect(readFrameMessage({ type: 'ready', more: 1 })).toEqual({ type: 'ready' })
  expect(readFrameMessage({ type: 'drawn', height: 20.2 })).toEqual({ type: 'drawn', height: 21 })
  expect(readFrameMessage({ type: 'drawn', height: 1e9 })).toEqual({ type: 'drawn', height: 1600 })
  expect(readFrameMessage({ type: 'failed', trouble: 'x'.repeat(9_000) })).toMatchObject({
    trouble: 'x'.repeat(500),
  })
  const picture = { type: 'picture', theme: 'dark', svg: '<svg/>', width: 10, height: 5, words: 'A' }
  expect(readFrameMessage({ ...picture, more: 1 })).toEqual(picture)
  for (const other of [
    { ...picture, theme: 'pink' },
    { ...picture, width: -1 },
    { ...picture, height: Number.NaN },
    { ...picture, svg: 'x'.repeat(1_000_001) },
    { ...picture, words: null },
    null,
    'ready',
    1,
    {},
    { type: 'drawn' },
    { type: 'drawn', height: Number.NaN },
    { type: 'draw' },
  ])
    expect(readFrameMessage(other)).toBeNull()
})

it('[R3] the frame accepts only known messages from the page', () => {
  const request = { type: 'draw', text: 'graph LR', theme: 'dark' }
  expect(readDrawRequest(request)).toEqual(request)
  for (const other of [
    null,
    'draw',
    {},
    { ...request, theme: 'pink' },
    { ...request, text: 1 },
    { ...request, type: 'x' },
  ])
    expect(readDrawRequest(other)).toBeNull()
})
