/** A labelled field of a form, with its expected value and its fault. */
import { type Child, h, put } from '../dom.ts';

export interface Field<Control extends HTMLElement> {
  readonly element: HTMLElement;
  readonly control: Control;
  /** An empty text removes the fault. */
  fault(message: string): void;
}

let count = 0;

export function field<Control extends HTMLInputElement | HTMLSelectElement>(
  label: string,
  control: Control,
  hint = '',
): Field<Control> {
  const id = `field-${(count += 1)}`;
  const about = h('span', { id: `${id}-hint`, class: 'small soft' }, hint);
  const wrong = h('span', { id: `${id}-fault`, class: 'small fault' });
  control.id = id;
  control.setAttribute('aria-describedby', `${about.id} ${wrong.id}`);
  return {
    element: h('div', { class: 'field' }, h('label', { for: id }, label), control, about, wrong),
    control,
    fault: (message) => {
      put(wrong, message);
      if (message === '') control.removeAttribute('aria-invalid');
      else control.setAttribute('aria-invalid', 'true');
    },
  };
}

export const fieldset = (legend: string, ...children: Child[]): HTMLElement =>
  h('fieldset', {}, h('legend', {}, legend), ...children);
