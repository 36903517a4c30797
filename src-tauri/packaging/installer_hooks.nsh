; Offers Skein below "Open with" for the files that it attaches.
;
; Tauri's own file associations would make Skein the program that opens every text and picture.

!define SKEIN_APPLICATION "Software\Classes\Applications\skein.exe"

!macro SKEIN_SUPPORTED_TYPE EXTENSION
  WriteRegStr SHCTX "${SKEIN_APPLICATION}\SupportedTypes" "${EXTENSION}" ""
!macroend

!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr SHCTX "${SKEIN_APPLICATION}" "FriendlyAppName" "Skein"
  WriteRegStr SHCTX "${SKEIN_APPLICATION}\shell\open\command" "" `"$INSTDIR\skein.exe" "%1"`
  !insertmacro SKEIN_SUPPORTED_TYPE ".txt"
  !insertmacro SKEIN_SUPPORTED_TYPE ".md"
  !insertmacro SKEIN_SUPPORTED_TYPE ".markdown"
  !insertmacro SKEIN_SUPPORTED_TYPE ".pdf"
  !insertmacro SKEIN_SUPPORTED_TYPE ".png"
  !insertmacro SKEIN_SUPPORTED_TYPE ".jpg"
  !insertmacro SKEIN_SUPPORTED_TYPE ".jpeg"
  ; SHCNE_ASSOCCHANGED: Explorer reads the entries again.
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)"
!macroend

!macro NSIS_HOOK_POSTUNINSTALL
  DeleteRegKey SHCTX "${SKEIN_APPLICATION}"
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)"
!macroend
