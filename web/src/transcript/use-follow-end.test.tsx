// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { useFollowEnd, type FollowEnd } from './use-follow-end.ts'

/** An element that scrolls as in a browser: not past the end. */
class Place extends EventTarget {
  scrollHeight = 1000
  clientHeight = 500
  private top = 500
  get scrollTop() {
    return this.top
  }
  set scrollTop(top: number) {
    this.top = Math.min(top, this.scrollHeight - this.clientHeight)
  }
}

/** A list scrolled to its end: 1000 pixels high, of which half is visible. */
async function look() {
  const place = new Place() as Place & HTMLElement
  let end: FollowEnd | undefined
  const Page = () => {
    end = useFollowEnd({ current: place }, [])
    return null
  }
  await render(<Page />)
  const change = ({ scrollTop = place.scrollTop, ...sizes }: Partial<Place>) =>
    act(async () => {
      Object.assign(place, sizes)
      place.scrollTop = scrollTop
      end?.scrolled()
    })
  expect([place.scrollTop, end?.isFollowing]).toEqual([500, true])
  const grow = (height: number) =>
    act(async () => {
      Object.assign(place, { scrollHeight: height })
      end?.resized()
    })
  return { place, change, grow, isFollowing: () => end?.isFollowing }
}

it('[W2] scrolling up stops following the end, and a change of size does not', async () => {
  const { change, isFollowing } = await look()
  await change({ scrollTop: 440, clientHeight: 560 })
  expect(isFollowing()).toBe(true)
  await change({ scrollTop: 340, scrollHeight: 900 })
  expect(isFollowing()).toBe(true)
  await change({ scrollTop: 300 })
  expect(isFollowing()).toBe(false)
  await change({ scrollTop: 340 })
  expect(isFollowing()).toBe(true)
})

it('[W2] scrolling up while the text gets shorter stops following too', async () => {
  const { place, change, grow, isFollowing } = await look()
  await change({ scrollTop: 0, scrollHeight: 900 })
  expect(isFollowing()).toBe(false)
  await grow(1100)
  expect(place.scrollTop).toBe(0)
})

it('[W2] nothing moves while the pointer is pressed, and the end is shown again on release', async () => {
  const { place, grow, isFollowing } = await look()
  await grow(1200)
  expect(place.scrollTop).toBe(700)
  const press = (how: object) => place.dispatchEvent(Object.assign(new Event('pointerdown'), how))
  press({ button: 2, isPrimary: true })
  await grow(1300)
  expect(place.scrollTop).toBe(800)
  press({ button: 0, isPrimary: true })
  // The press removes the focus from other elements.
  document.body.dispatchEvent(new Event('blur'))
  await wait(1)
  await grow(1400)
  expect(place.scrollTop).toBe(800)
  window.dispatchEvent(new Event('pointerup'))
  await wait(1)
  expect([place.scrollTop, isFollowing()]).toEqual([900, true])
})
