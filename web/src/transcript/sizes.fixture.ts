import { vi } from 'vitest'

const held: (() => void)[] = []
let isHeld = false
const notifyAll = () => held.splice(0).forEach(notify => notify())

/** Gives elements a size, which jsdom does not: the list is high, and each row low. */
class Sizes {
  readonly #notify: ResizeObserverCallback
  constructor(notify: ResizeObserverCallback) {
    this.#notify = notify
  }
  observe(target: Element): void {
    const height = target.getAttribute('role') === 'log' ? 4000 : 20
    const entry = { target, contentRect: { width: 800, height } }
    held.push(() => this.#notify([entry as unknown as ResizeObserverEntry], this))
    queueMicrotask(() => isHeld || notifyAll())
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Lets virtual lists show rows in a test. */
export function stubSizes(): void {
  isHeld = false
  vi.stubGlobal('ResizeObserver', Sizes)
  Element.prototype.scrollTo = () => {}
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body)
}

/** Nothing has a size until the returned function is called, as in a tab that draws nothing yet. */
export function holdSizes(): () => void {
  isHeld = true
  return () => {
    isHeld = false
    notifyAll()
  }
}
