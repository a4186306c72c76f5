# What electron-builder's script of the Windows installer leaves out; both macros are hooks of its own.
# test/desktop/installer.test.ts compiles the whole script and reads what it writes.

# As main/paths.ts tells Electron.
!define TOAST_ACTIVATOR "{46B944F7-58FB-46B1-A7B8-51F883A66695}"

!macro customInstall
  # Its own command lacks the quotation marks around the program: for C:\Users\Jo Doe\... Windows would try C:\Users\Jo.exe first.
  WriteRegStr SHELL_CONTEXT "Software\Classes\Framewright.Template\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Framewright.Shared\shell\open\command" "" '"$appExe" "%1"'

  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright" "" "URL:Framewright link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\framewright"
    # Another program may have taken over the files since.
    ReadRegStr $R0 SHELL_CONTEXT "Software\Classes\.renderscript" ""
    ${if} $R0 == "Framewright.Template"
      DeleteRegValue SHELL_CONTEXT "Software\Classes\.renderscript" ""
    ${endIf}
    ReadRegStr $R0 SHELL_CONTEXT "Software\Classes\.framewright" ""
    ${if} $R0 == "Framewright.Shared"
      DeleteRegValue SHELL_CONTEXT "Software\Classes\.framewright" ""
    ${endIf}

    # What the program itself has written, for the user alone, whomever it is installed for. Another installation's stays.
    StrCpy $R1 "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    # With its first notification: the key of who answers it, and a shortcut in the Start menu.
    ReadRegStr $R0 HKCU "Software\Classes\CLSID\${TOAST_ACTIVATOR}\LocalServer32" ""
    ${if} $R0 == $R1
      DeleteRegKey HKCU "Software\Classes\CLSID\${TOAST_ACTIVATOR}"
    ${endIf}
    ${if} $installMode == "all"
      ReadRegStr $R0 HKCU "${INSTALL_REGISTRY_KEY}" InstallLocation
      ${if} $R0 == ""
        SetShellVarContext current
        WinShell::UninstShortcut "$SMPROGRAMS\${PRODUCT_NAME}.lnk"
        Delete "$SMPROGRAMS\${PRODUCT_NAME}.lnk"
        SetShellVarContext all
      ${endIf}
    ${endIf}
    # With "Open at Login". The path has quotation marks only if it needs them.
    ReadRegStr $R0 HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    ${if} $R0 == $R1
    ${orIf} $R0 == '"$R1"'
      DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
      DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    ${endIf}
  ${endIf}
!macroend
