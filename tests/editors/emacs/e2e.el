;;; e2e.el --- An author's work in Emacs, without a screen -*- lexical-binding: t -*-

;; A line per step; the first failure ends with an error code.

(require 'cl-lib)
(add-to-list 'load-path (getenv "PLUGIN"))
(require 'percept)
(setq percept-program (getenv "PERCEPT") eglot-autoshutdown t eglot-sync-connect 30 eglot-send-changes-idle-time 0
      make-backup-files nil create-lockfiles nil)

(defun ok (name) (princ (format "ok %s\n" name)))
(defun must (holds what) (unless holds (error "FAILED: %s" what)))
(defun wait (what holds)
  (let ((until (+ (float-time) 30)))
    (while (not (funcall holds))
      (when (> (float-time) until) (error "FAILED: no %s within 30 seconds" what))
      (accept-process-output nil 0.05))))
(defun told ()
  "What is wrong, in the words of the server."
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(find-file (expand-file-name "coin.kif" (getenv "WORK")))
(must (eq major-mode 'percept-gdl-mode) "the mode of a .kif file")
(font-lock-ensure)
(goto-char (point-min))
(search-forward "(role")
(must (eq (get-text-property (1- (point)) 'face) 'font-lock-keyword-face) "words of the language have colours")
(ok "a game has its mode and colours")

(call-interactively #'eglot)
(must (eglot-current-server) "the server runs")
(let ((right (buffer-substring-no-properties (point-min) (point-max))))
  (goto-char (point-min))
  (search-forward "(role ")
  (search-forward ")")
  (delete-char -1)
  (eglot--signal-textDocument/didChange)
  (wait "finding" (lambda () (flymake-start) (cl-some (lambda (it) (string-match-p "never closed" it)) (told))))
  (ok "a missing bracket is told")
  (let ((actions (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                  (list :textDocument (eglot--TextDocumentIdentifier)
                                        :range (list :start (eglot--pos-to-lsp-position (point-min)) :end (eglot--pos-to-lsp-position (point-max)))
                                        :context (list :diagnostics [])))))
    (let ((repair (cl-find-if (lambda (it) (string-prefix-p "Add `)`" (plist-get it :title))) actions)))
      (must repair (format "a bracket is offered: %s" (mapcar (lambda (it) (plist-get it :title)) actions)))
      (eglot--apply-workspace-edit (plist-get repair :edit))))
  (must (string= (buffer-substring-no-properties (point-min) (point-max)) right) "the repair puts the bracket back")
  (ok "and repaired"))

(goto-char (point-min))
(search-forward "legal")
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (must (string-match-p "legal" (format "%s" hover)) "hover tells what a word means"))
(ok "hover tells what a word means")
(goto-char (point-max))
(insert "(<= (legal ")
(eglot--signal-textDocument/didChange)
(let ((items (jsonrpc-request (eglot-current-server) :textDocument/completion (eglot--TextDocumentPositionParams))))
  (must (> (length (if (vectorp items) items (plist-get items :items))) 0) "roles are proposed"))
(ok "names are completed")
(set-buffer-modified-p nil)
; Older Eglots say goodbye with parameters that are null, which the server's protocol library refuses.
(ignore-errors (eglot-shutdown (eglot-current-server)))

(dolist (it '(("game.hrf" . percept-gdl-infix-mode) ("game.pog" . percept-pogddl-mode) ("game.trace" . percept-trace-mode)))
  (with-temp-buffer
    (setq buffer-file-name (expand-file-name (car it) (getenv "WORK")))
    (set-auto-mode)
    (must (eq major-mode (cdr it)) (format "the mode of %s is %s" (car it) major-mode))
    (set-buffer-modified-p nil)
    (setq buffer-file-name nil)))
(ok "every language has its mode")
