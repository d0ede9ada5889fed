import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { rescueFocus } from './rescue-focus.ts'
import { Toasts } from './toasts.tsx'

/** The props of a dialog. */
export interface DialogProps {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** `side`: from the edge, as drawers on a phone. `wide`: as wide as there is room for. */
  readonly shape?: 'small' | 'wide' | 'left' | 'right'
  /** Whether the title is for screen readers only. */
  readonly hideTitle?: boolean
}

/** A dialog over the page. The browser keeps the focus in it, Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  shape = 'small',
  hideTitle = false,
}: DialogProps): ReactElement {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current
    if (open && dialog?.open === false) dialog.showModal()
    if (!open && dialog?.open === true) close(dialog)
  }, [open])
  return (
    <dialog
      ref={element}
      className={classNames(styles['dialog'], styles[shape])}
      aria-labelledby={titleId}
      // React lets these events bubble: a dialog inside this one must not close it.
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
      onCancel={event => {
        if (event.target !== event.currentTarget) return
        // The page becomes active before it closes: the browser returns the focus only to elements that can
        // take it then.
        event.preventDefault()
        onClose()
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {open && (
        <div className={styles['inside']}>
          <div className={hideTitle ? 'unseen' : styles['header']}>
            <h2 id={titleId}>{title}</h2>
            {!hideTitle && (
              <IconButton label="Close" onClick={onClose}>
                <X size={18} aria-hidden />
              </IconButton>
            )}
          </div>
          {children}
          <Toasts />
        </div>
      )}
    </dialog>
  )
}

/** Closes the dialog; if the previously focused element is gone, the page gets the focus. */
function close(dialog: HTMLDialogElement): void {
  dialog.close()
  rescueFocus()
}
