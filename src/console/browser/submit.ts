/** What a form does when it is submitted: it sends, if it may, instead of loading another page. */
export function submits(isAllowed: boolean, send: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    if (isAllowed) send();
  };
}
