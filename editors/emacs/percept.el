;;; percept.el --- Games of incomplete information: GDL-II and POGDDL -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, games

;;; Commentary:

;; Modes for descriptions of games (GDL-II, prefix and infix; POGDDL) and traces of matches.  The language server
;; `percept lsp' analyses them, through Eglot: M-x eglot, or (add-hook 'percept-mode-hook #'eglot-ensure).  With
;; Emacs 29 or newer and the grammars built (M-x percept-install-grammars), colours come from tree-sitter.

;;; Code:

(require 'eglot)

(defgroup percept nil
  "Games of incomplete information."
  :group 'languages)

(defcustom percept-program "percept"
  "The name or path of the program percept."
  :type 'string)

(defconst percept--folder (file-name-directory (or load-file-name buffer-file-name))
  "The folder of this file.")

(defvar percept-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (dolist (char '(?? ?- ?_ ?: ?+ ?* ?/ ?= ?< ?>))
      (modify-syntax-entry char "_" table))
    table)
  "Syntax of the languages in parentheses.")

(defconst percept--gdl-words
  '("role" "init" "true" "does" "next" "legal" "goal" "terminal" "sees" "base" "input" "percept" "distinct" "not" "or" "and"))

(defconst percept--pddl-words
  '("define" "domain" "problem" "observe" "and" "or" "not" "when" "forall" "exists" "imply" "increase" "decrease" "assign" "either"))

(defun percept--keywords (words)
  "Font lock rules for use without tree-sitter: WORDS, variables, sections."
  `((,(concat "(\\(" (regexp-opt words) "\\)\\_>") 1 font-lock-keyword-face)
    ("\\_<:[[:alnum:]-]+" . font-lock-builtin-face)
    ("\\_<terminal\\_>" . font-lock-keyword-face)
    ("\\?[[:alnum:]_-]+" . font-lock-variable-name-face)
    ("<=" . font-lock-keyword-face)))

(defvar percept-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'percept-check)
    (define-key map (kbd "C-c C-f") #'eglot-format)
    (define-key map (kbd "C-c C-a") #'eglot-code-actions)
    (define-key map (kbd "C-c C-o") #'percept-prove)
    (define-key map (kbd "C-c C-s") #'percept-step)
    (define-key map (kbd "C-c C-t") #'percept-test)
    map))

;;;###autoload
(define-derived-mode percept-mode prog-mode "Game"
  "Base mode for the languages of games."
  :syntax-table percept-mode-syntax-table
  (setq-local comment-start "; " comment-start-skip ";+ *" comment-end "")
  (setq-local indent-tabs-mode nil lisp-indent-offset 4)
  (setq-local indent-line-function #'lisp-indent-line))

;;;###autoload
(define-derived-mode percept-gdl-mode percept-mode "GDL"
  "Mode for GDL-II in prefix form."
  (setq-local font-lock-defaults (list (percept--keywords percept--gdl-words)))
  (percept--tree-sitter 'gdl))

;;;###autoload
(define-derived-mode percept-gdl-infix-mode percept-mode "GDL infix"
  "Mode for GDL-II in infix form."
  (modify-syntax-entry ?% "<" (syntax-table))
  (setq-local indent-line-function #'indent-relative)
  (setq-local font-lock-defaults
              `(((,(concat "\\_<" (regexp-opt percept--gdl-words) "\\_>") . font-lock-keyword-face)
                 ("\\_<[A-Z_][[:alnum:]_]*" . font-lock-variable-name-face))))
  (percept--tree-sitter 'gdl-infix))

;;;###autoload
(define-derived-mode percept-pogddl-mode percept-mode "POGDDL"
  "Mode for POGDDL: PDDL with `observe' and `:gain'."
  (setq-local font-lock-defaults (list (percept--keywords percept--pddl-words) nil t))
  (percept--tree-sitter 'pogddl))

;;;###autoload
(define-derived-mode percept-trace-mode percept-mode "Trace"
  "Mode for matches, one round per line.")

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.\\(kif\\|gdl\\)\\'" . percept-gdl-mode))
  (add-to-list 'auto-mode-alist '("\\.hrf\\'" . percept-gdl-infix-mode))
  (add-to-list 'auto-mode-alist '("\\.\\(pog\\|pogddl\\|pddl\\)\\'" . percept-pogddl-mode))
  (add-to-list 'auto-mode-alist '("\\.trace\\'" . percept-trace-mode)))

;; The server's names of the languages.
(put 'percept-gdl-mode 'eglot-language-id "gdl")
(put 'percept-gdl-infix-mode 'eglot-language-id "gdl-infix")
(put 'percept-pogddl-mode 'eglot-language-id "pogddl")
(put 'percept-trace-mode 'eglot-language-id "percept-trace")

(add-to-list 'eglot-server-programs
             (cons '(percept-gdl-mode percept-gdl-infix-mode percept-pogddl-mode percept-trace-mode)
                   (lambda (&rest _) (list percept-program "lsp"))))

;;; tree-sitter

(declare-function treesit-available-p "treesit.c")
(declare-function treesit-ready-p "treesit")
(declare-function treesit-parser-create "treesit")
(declare-function treesit-major-mode-setup "treesit")
(declare-function treesit-font-lock-rules "treesit")
(defvar treesit-font-lock-settings)
(defvar treesit-font-lock-level)
(defvar treesit-font-lock-feature-list)
(defvar treesit-extra-load-path)

(defun percept--tree-sitter-rules (language)
  "The colours of LANGUAGE: (FEATURE QUERY ...).
In a query of Emacs the first match keeps its face, unlike in the query files beside the grammars."
  (let ((words (lambda (list) (concat "\\`\\(" (mapconcat #'regexp-quote (append list (mapcar #'upcase list)) "\\|") "\\)\\'"))))
    (pcase language
      ('pogddl
       `((comment (comment) @font-lock-comment-face)
         (keyword (form head: (name) @font-lock-keyword-face (:match ,(funcall words percept--pddl-words) @font-lock-keyword-face))
                  (section keyword: (keyword) @font-lock-builtin-face))
         (variable (variable) @font-lock-variable-name-face)
         (type ((dash) :anchor (name) @font-lock-type-face))
         (function (form head: (name) @font-lock-function-name-face))
         (number (number) @font-lock-constant-face)))
      (_
       (let ((name (if (eq language 'gdl) 'symbol 'constant)))
         `((comment (comment) @font-lock-comment-face)
           (keyword (compound functor: (,name) @font-lock-keyword-face (:match ,(funcall words percept--gdl-words) @font-lock-keyword-face))
                    ((,name) @font-lock-keyword-face (:match "\\`\\(terminal\\|TERMINAL\\)\\'" @font-lock-keyword-face))
                    (arrow) @font-lock-keyword-face)
           (variable (variable) @font-lock-variable-name-face)
           (function (compound functor: (,name) @font-lock-function-name-face))
           ,(if (eq language 'gdl)
                '(number ((symbol) @font-lock-constant-face (:match "\\`[0-9]+\\'" @font-lock-constant-face)))
              '(number (number) @font-lock-constant-face))))))))

(defun percept--tree-sitter (language)
  "Use the colours of LANGUAGE from its grammar, if that is built."
  (when (and (fboundp 'treesit-available-p) (treesit-available-p) (require 'treesit nil t) (treesit-ready-p language t))
    (treesit-parser-create language)
    (setq-local treesit-font-lock-feature-list '((comment) (keyword variable) (type number) (function)))
    (setq-local treesit-font-lock-level 4)
    (setq-local treesit-font-lock-settings
                (apply #'treesit-font-lock-rules
                       (mapcan (lambda (rule) (list :language language :feature (car rule) (cdr rule)))
                               (percept--tree-sitter-rules language))))
    (treesit-major-mode-setup)))

(defun percept-install-grammars ()
  "Build the tree-sitter grammars with the C compiler, into the folder in which Emacs finds them."
  (interactive)
  (let ((to (expand-file-name "tree-sitter" user-emacs-directory)))
    (make-directory to t)
    (dolist (name '("gdl" "gdl-infix" "pogddl"))
      (let ((source (expand-file-name (format "../../grammar/%s/src" name) percept--folder)))
        (unless (zerop (call-process (or (getenv "CC") "cc") nil "*percept grammars*" nil "-shared" "-fPIC" "-Os" "-I" source
                                     (expand-file-name "parser.c" source)
                                     "-o" (expand-file-name (format "libtree-sitter-%s%s" name module-file-suffix) to)))
          (error "The grammar %s cannot be built: see *percept grammars*" name))))
    (message "The grammars are in %s" to)))

;;; The program

(defun percept--run (&rest arguments)
  "Run percept with ARGUMENTS in a compilation buffer, with links to its findings."
  (save-some-buffers t (lambda () (derived-mode-p 'percept-mode)))
  (compile (mapconcat #'shell-quote-argument (cons percept-program arguments) " ")))

(defun percept-check ()
  "Report the mistakes in this game."
  (interactive)
  (percept--run "check" buffer-file-name))

(defun percept-prove ()
  "Prove or refute that every role has the required knowledge in every match."
  (interactive)
  (percept--run "prove" buffer-file-name))

(defun percept-test ()
  "Compare the games of this folder with their expected.toml."
  (interactive)
  (percept--run "test" default-directory))

;;; The stepper: pages of the language server (percept.page)

(defvar-local percept--source nil "The buffer of the game that a page is about.")
(defvar-local percept--session nil "The server's state of a page, which is sent with every request.")
(defvar-local percept--page nil "The shown page.")
(defvar-local percept--error nil "The message above the page.")
(defvar-local percept--asked 0 "The number of requests so far.")
(defvar-local percept--pages nil "The pages of a game's buffer.")
(defvar-local percept--timer nil "The timer that replays a match after an edit.")

(defconst percept--faces
  '((title . bold) (quiet . shadow) (good . success) (bad . error) (warn . warning) (button . link) (here . highlight)
    (picked . font-lock-string-face) (percept . font-lock-builtin-face) (open . underline) (chosen . region))
  "The faces of the server's marks.")

(defun percept--face (piece)
  "The faces of PIECE, with a shade for a probability."
  (let ((share (plist-get piece :share)))
    (append (delq nil (mapcar (lambda (mark) (cdr (assq (intern mark) percept--faces))) (plist-get piece :marks)))
            (and share (list (list :foreground "white" :background
                                   (format "#%02x%02x%02x" (+ 30 (* 40 share)) (+ 40 (* 100 share)) (+ 60 (* 150 share)))))))))

(define-derived-mode percept-step-mode fundamental-mode "Match"
  "Mode for pages of the stepper: each explains its keys."
  (setq buffer-read-only t truncate-lines t))

(defun percept--draw ()
  "Show the page, and bind its keys."
  (let ((inhibit-read-only t) (line (line-number-at-pos)) (map (make-sparse-keymap)))
    (erase-buffer)
    (when percept--error (insert (propertize percept--error 'face 'error) "\n"))
    (seq-doseq (pieces (plist-get percept--page :lines))
      (seq-doseq (piece pieces)
        (insert (propertize (plist-get piece :text) 'face (percept--face piece) 'percept-action (plist-get piece :action))))
      (insert "\n"))
    (goto-char (point-min))
    (forward-line (1- line))
    (define-key map (kbd "RET") #'percept-act)
    (define-key map (kbd "C-c C-k") #'percept-stop)
    (define-key map "q" #'quit-window)
    (seq-doseq (it (plist-get percept--page :keys))
      (let ((action (plist-get it :action)) (key (plist-get it :key)))
        (define-key map (if (string= key "<Esc>") (kbd "<escape>") key)
                    (lambda () (interactive) (percept--press action)))))
    (use-local-map map)))

(defun percept--send (&rest more)
  "Request the page again with the arguments MORE, and then its missing parts."
  (let* ((page (current-buffer)) (asked (setq percept--asked (1+ percept--asked))) (window (get-buffer-window page))
         (mine (lambda (show) (lambda (it) (when (buffer-live-p page)
                                             (with-current-buffer page (when (= asked percept--asked) (funcall show it))))))))
    (jsonrpc-async-request
     (percept--server) :workspace/executeCommand
     (list :command "percept.page" :workDoneToken (format "percept-%d" asked)
           :arguments (vector (append more (and percept--session (list :session percept--session))
                                      (list :width (if window (window-width window) 80)
                                            :uri (with-current-buffer percept--source
                                                   ;; The server must have the latest text.
                                                   (eglot--signal-textDocument/didChange)
                                                   (plist-get (eglot--TextDocumentIdentifier) :uri))))))
     :timeout nil
     :success-fn (funcall mine #'percept--answered)
     :error-fn (funcall mine (lambda (it) (setq percept--error (plist-get it :message)) (percept--draw))))))

(defun percept--server ()
  "The language server of a page's game."
  (with-current-buffer percept--source (or (eglot-current-server) (user-error "Start the language server: M-x eglot"))))

(defun percept--answered (it)
  "Show the answer IT of the server."
  (setq percept--error nil percept--page (plist-get it :page) percept--session (plist-get it :session))
  (percept--draw)
  (let ((ask (plist-get it :ask)))
    (cond (ask (let ((text (completing-read (concat (string-trim (plist-get ask :prompt)) " ") (append (plist-get ask :choices) nil)
                                            nil (not (eq (plist-get ask :typed) t)))))
                 (percept--press (plist-get ask :action) text)))
          ((plist-get it :more) (percept--send :wait t)))))

(defun percept--visit (location)
  "Go to LOCATION in its buffer, which is returned."
  (let ((path (if (fboundp 'eglot-uri-to-path) 'eglot-uri-to-path 'eglot--uri-to-path)))
    (set-buffer (find-file-noselect (funcall path (plist-get location :uri))))
    (goto-char (eglot--lsp-position-to-point (plist-get (plist-get location :range) :start)))
    (current-buffer)))

(defun percept--press (action &optional text)
  "Perform ACTION of a page, with TEXT as the answer to a question."
  (cond ((plist-get action :open)
         (pop-to-buffer (save-current-buffer (percept--visit (plist-get action :open))))
         (percept--visit (plist-get action :open)))
        ((plist-get action :insert)
         (save-current-buffer
           (seq-doseq (edit (reverse (plist-get action :insert)))
             (percept--visit edit)
             (insert (plist-get edit :newText)))))
        ((plist-get action :send) (apply #'percept--send :command (plist-get action :send) (and text (list :text text))))))

(defun percept-act ()
  "Perform the action of the text at point."
  (interactive)
  (percept--press (get-text-property (point) 'percept-action)))

(defun percept-stop ()
  "Stop the work on this page."
  (interactive)
  (jsonrpc-notify (percept--server) :window/workDoneProgress/cancel (list :token (format "percept-%d" percept--asked))))

(defun percept--changed (&rest _)
  "Replay the matches of this buffer's game soon."
  (when percept--timer (cancel-timer percept--timer))
  (setq percept--timer
        (run-with-timer 0.3 nil
                        (lambda (pages) (dolist (page pages)
                                          (when (buffer-live-p page)
                                            (with-current-buffer page (percept--send :command "\"reread\"")))))
                        percept--pages)))

(defun percept-step ()
  "Step through a match of this game, see what its roles know, and play it."
  (interactive)
  (let ((source (current-buffer)) (page (get-buffer-create (format "*match of %s*" (buffer-name)))))
    (add-to-list 'percept--pages page)
    (add-hook 'after-change-functions #'percept--changed nil t)
    (pop-to-buffer page)
    (unless (derived-mode-p 'percept-step-mode) (percept-step-mode))
    (setq percept--source source)
    (percept--send)))

;; `percept check' prints places as ┌─ FILE:LINE:COLUMN.
(with-eval-after-load 'compile
  (add-to-list 'compilation-error-regexp-alist-alist
               '(percept "^ *┌─ \\([^:\n]+\\):\\([0-9]+\\):\\([0-9]+\\)" 1 2 3))
  (add-to-list 'compilation-error-regexp-alist 'percept))

(provide 'percept)
;;; percept.el ends here
