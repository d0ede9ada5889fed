import { useCallback, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
import { X } from 'lucide-react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { LongWords } from './long-words.tsx'
import { rescueFocus } from './rescue-focus.ts'
import { dismissToast, stayMs, useToasts, type Toast } from './toast.ts'
import { useToastRoom, type ToastRoom } from './toast-room.ts'
import styles from './toasts.module.css'
import { useRowFocus, type RowFocus } from './use-row-focus.ts'

/** The toasts of the page: over the transcript in a session, elsewhere at the bottom. They never cover buttons. */
export const PageToasts = (): ReactElement => <Toasts over={useToastRoom()} />

/**
 * The live region for toasts, on the page and in each dialog. It exists before any toast, so that screen readers
 * announce them.
 */
export function Toasts({ over = null }: { readonly over?: ToastRoom | null }): ReactElement {
  const toasts = useToasts()
  const list = useRef<HTMLDivElement>(null)
  const focus = useWayBack(list, toasts)
  return (
    <div
      ref={list}
      {...focus}
      className={classNames(styles['toasts'], over !== null && styles['over'])}
      style={
        over === null
          ? undefined
          : { top: over.top, left: over.left, width: over.width, maxHeight: over.height }
      }
      role="status"
      aria-label="Notifications"
    >
      {toasts.map(each => (
        <Line key={each.id} toast={each} />
      ))}
    </div>
  )
}

/** When a toast closes on a click, the focus returns to where it was. */
function useWayBack(list: RefObject<HTMLElement | null>, toasts: readonly Toast[]): RowFocus {
  const from = useRef<HTMLElement | null>(null)
  const otherwise = useCallback(() => {
    from.current?.focus()
    rescueFocus()
  }, [])
  const ids = toasts.map(({ id }) => String(id))
  const { onFocus, onBlur } = useRowFocus(list, ids, { pick: nobody, otherwise })
  return {
    onBlur,
    onFocus(event) {
      onFocus(event)
      const { currentTarget, relatedTarget } = event
      if (!currentTarget.contains(relatedTarget))
        from.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
    },
  }
}

const nobody = () => null

/** One toast; it stays while the pointer or the focus is on it. */
function Line({ toast }: { readonly toast: Toast }): ReactElement {
  const { id, text, tone, action } = toast
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissToast(id), stayMs(toast))
    return () => clearTimeout(timer)
  }, [id, isHeld, toast])
  const act = () => {
    dismissToast(id)
    action?.run()
  }
  return (
    <div
      className={classNames(styles['toast'], tone === 'bad' && styles['bad'])}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <span className={styles['text']}>
        <LongWords text={text} />
      </span>
      {action && (
        <Button small onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" onClick={() => dismissToast(id)}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  )
}
